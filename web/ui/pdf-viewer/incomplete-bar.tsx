import { TriangleAlert } from 'lucide-react';
import { LineButton } from '../line-button.tsx';

interface IncompleteBarProps {
  pageCount: number;
  /** Its time was over; else TeX continued past errors. */
  isCutShort: boolean;
  /** Of the first error; null when that is not known. */
  line: number | null;
  onJump: (line: number) => void;
}

/** Marks a PDF that TeX made despite errors. It lies over the foot of the pages, which stay where they are. */
export function IncompleteBar({ pageCount, isCutShort, line, onJump }: IncompleteBarProps) {
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
      <LineButton line={line} onJump={onJump} />
    </div>
  );
}
