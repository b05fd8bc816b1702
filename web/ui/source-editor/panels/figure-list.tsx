import { Plus } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { PickList } from './pick-list.tsx';

interface FigureListProps {
  /** The document's files. */
  names: readonly string[];
  onPick: (name: string) => void;
  /** Without it, no pictures can be added here. */
  onPictures: ((files: File[]) => void) | undefined;
}

const isPicture = (name: string) => /\.(?:png|jpe?g|pdf)$/i.test(name);

/** The document's pictures, and a way to add another. */
export function FigureList({ names, onPick, onPictures }: FigureListProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <PickList
      label="Find a picture"
      items={names.filter(isPicture).map((name) => ({ name, detail: '' }))}
      empty="The document has no pictures yet."
      onPick={({ name }) => onPick(name)}
    >
      {onPictures && (
        <>
          <Button
            variant="quiet"
            size="small"
            className="w-full justify-start"
            icon={<Plus className="size-4" />}
            onClick={() => field.current?.click()}
          >
            Add a picture
          </Button>
          <input
            ref={field}
            type="file"
            multiple
            accept="image/png,image/jpeg,application/pdf"
            aria-label="Add a picture"
            className="sr-only"
            tabIndex={-1}
            onChange={(event) => {
              const files = [...(event.target.files ?? [])];
              if (files.length > 0) onPictures(files);
            }}
          />
        </>
      )}
    </PickList>
  );
}
