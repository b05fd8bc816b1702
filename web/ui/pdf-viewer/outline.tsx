import { useEffect, useState } from 'react';
import type { PDFDocumentProxy } from '#web/lib/pdf/pdfjs.ts';

export interface OutlineEntry {
  title: string;
  /** A web address, checked by pdf.js; null for a place in the PDF. */
  url: string | null;
  destination: string | unknown[] | null;
  entries: OutlineEntry[];
}

/** The PDF's own outline; null while loading, empty if there is none. */
export function useOutline(pdf: PDFDocumentProxy | null): OutlineEntry[] | null {
  const [outline, setOutline] = useState<OutlineEntry[] | null>(null);
  useEffect(() => {
    let isCurrent = true;
    pdf?.getOutline().then(
      (items) => isCurrent && setOutline(readOutline(items ?? [])),
      () => isCurrent && setOutline([]),
    );
    return () => {
      isCurrent = false;
    };
  }, [pdf]);
  return outline;
}

type Item = Pick<
  Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number],
  'title' | 'url' | 'dest' | 'items'
>;

function readOutline(items: readonly Item[]): OutlineEntry[] {
  return items.map(({ title, url, dest, items: inner }) => ({
    title: title.trim() || 'Untitled',
    url,
    destination: dest,
    entries: readOutline(inner),
  }));
}

const entryClass =
  'block w-full rounded-md px-2 py-1.5 text-left text-[0.8125rem] leading-snug text-ink hover:bg-wash pointer-coarse:py-2.5';

export function Outline({
  entries,
  onGo,
}: {
  entries: readonly OutlineEntry[];
  onGo: (destination: string | unknown[]) => void;
}) {
  return (
    <ul className="grid content-start gap-px overflow-y-auto p-2 [&_ul]:overflow-visible [&_ul]:p-0 [&_ul]:pl-3">
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an outline is replaced as a whole
        <li key={index}>
          {entry.url !== null ? (
            <a href={entry.url} target="_blank" rel="noopener noreferrer" className={entryClass}>
              {entry.title}
            </a>
          ) : (
            <button
              type="button"
              className={entryClass}
              disabled={entry.destination === null}
              onClick={() => entry.destination && onGo(entry.destination)}
            >
              {entry.title}
            </button>
          )}
          {entry.entries.length > 0 && <Outline entries={entry.entries} onGo={onGo} />}
        </li>
      ))}
    </ul>
  );
}
