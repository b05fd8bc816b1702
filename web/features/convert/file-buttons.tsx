import { Camera, FilePlus } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { opensPicker } from '#web/lib/page/early-files.ts';
import { Button, type ButtonSize, type ButtonVariant } from '#web/ui/controls/button.tsx';

/** File types offered by the picker: notes, and LaTeX for the import. Only a hint: the server checks the content. */
const accept = 'application/pdf,.pdf,image/*,.heic,.heif,.tif,.tiff,.avif,.tex,.zip';

interface FileButtonProps {
  onFiles: (files: File[]) => void;
  label: string;
  /** Opens the phone's camera. */
  isCamera?: boolean;
  variant?: ButtonVariant;
  size?: ButtonSize;
  className?: string;
  icon?: ReactNode;
}

/** A button that opens the file picker, or the camera if there is one. */
export function FileButton({ onFiles, label, isCamera, variant, size, className, icon }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        variant={variant}
        size={size}
        className={className}
        icon={icon ?? (isCamera ? <Camera className="size-4" /> : <FilePlus className="size-4" />)}
        onClick={() => input.current?.click()}
        {...opensPicker}
      >
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        multiple={!isCamera}
        accept={isCamera ? 'image/*' : accept}
        capture={isCamera ? 'environment' : undefined}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // allows choosing the same file again
          event.target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
