import { useEffect, useRef, useState } from 'react';
import { maxTitleLength } from '#shared/api/library.ts';
import { cn } from '#web/ui/cn.ts';

interface RenameFieldProps {
  name: string;
  onDone: (name: string | null) => void;
  className?: string;
}

/** Edits a name in place: Enter or leaving the field saves, Escape reverts. */
export function RenameField({ name, onDone, className }: RenameFieldProps) {
  const [typed, setTyped] = useState(name);
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    field.current?.focus();
    // backwards, so that a long name shows its beginning
    field.current?.setSelectionRange(0, field.current.value.length, 'backward');
  }, []);
  const finish = (isAccepted: boolean) => {
    if (isDone.current) return;
    isDone.current = true;
    const clean = typed.trim();
    onDone(isAccepted && clean !== '' && clean !== name ? clean : null);
  };
  return (
    <input
      ref={field}
      aria-label={`New name of ${name}`}
      value={typed}
      maxLength={maxTitleLength}
      autoComplete="off"
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') finish(true);
        if (event.key === 'Escape') finish(false);
      }}
      onBlur={() => finish(true)}
      className={cn(
        'relative z-20 h-8 w-full min-w-0 rounded-md border border-edge bg-page px-1.5 text-sm pointer-coarse:h-11 pointer-coarse:text-base',
        className,
      )}
    />
  );
}
