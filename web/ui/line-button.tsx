import { cn } from './cn.ts';

interface LineButtonProps {
  /** Null: renders nothing. */
  line: number | null;
  onJump: (line: number) => void;
  /** The file that the line is in, if there are several. */
  file?: string | null;
  /** For lines without an error. */
  isQuiet?: boolean;
}

/** Jumps to a line of the source. */
export function LineButton({ line, file, onJump, isQuiet = false }: LineButtonProps) {
  if (line === null) return null;
  return (
    <button
      type="button"
      className={cn(
        '-my-1 min-h-8 shrink-0 rounded font-medium underline underline-offset-4 pointer-coarse:min-h-11',
        isQuiet ? 'decoration-edge hover:text-ink' : 'text-red decoration-red/40 hover:decoration-red',
      )}
      onClick={() => onJump(line)}
    >
      {file ? `${file}, line` : 'Line'} {line}
    </button>
  );
}
