import { TriangleAlert } from 'lucide-react';
import { LineButton } from '../line-button.tsx';

interface IncompleteBarProps {
  pageCount: number;
  /** Compiling timed out; otherwise TeX continued past errors. */
  isCutShort: boolean;
  /** The first error's line; null if unknown. */
  line: number | null;
  /** The file that it is in, if there are several. */
  file?: string | null;
  onJump: (line: number) => void;
}

/** Marks a PDF that TeX produced despite errors. It covers the bottom of the pages without moving them. */
export function IncompleteBar({ pageCount, isCutShort, line, file, onJump }: IncompleteBarProps) {
  const pages = `${pageCount} ${pageCount === 1 ? 'page' : 'pages'}`;
  return (
    <div
      role="note"
      className="absolute inset-x-0 bottom-0 z-10 flex min-h-10 items-center gap-2 border-t border-red/35 bg-red-wash px-3 text-[0.8125rem]"
    >
      <TriangleAlert className="size-4 shrink-0 text-red" aria-hidden="true" />
      <p className="min-w-0 truncate">
        <span className="font-medium">Incomplete.</span>{' '}
        {isCutShort ? `Compiling took too long; ${pages} were finished.` : 'TeX continued past errors.'}
      </p>
      <LineButton line={line} file={file} onJump={onJump} />
    </div>
  );
}
