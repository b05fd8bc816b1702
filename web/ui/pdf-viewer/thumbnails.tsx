import { useEffect, useRef, useState } from 'react';
import type { PDFDocumentProxy } from '#web/lib/pdf/pdfjs.ts';
import { cn } from '../cn.ts';
import { createThumbnailPainter, type ThumbnailPainter } from './thumbnail-painter.ts';

interface ThumbnailsProps {
  pdf: PDFDocumentProxy;
  /** The current page, 1-based. */
  page: number;
  /** Degrees clockwise. */
  rotation: number;
  onGo: (page: number) => void;
}

/** Thumbnails of all pages; only those near the viewport are painted and kept. */
export function Thumbnails({ pdf, page, rotation, onGo }: ThumbnailsProps) {
  const list = useRef<HTMLOListElement>(null);
  const [painter, setPainter] = useState<ThumbnailPainter | null>(null);
  useEffect(() => {
    if (!list.current) return;
    const made = createThumbnailPainter(pdf, list.current, rotation);
    setPainter(made);
    return () => made.destroy();
  }, [pdf, rotation]);
  useEffect(() => {
    list.current?.children[page - 1]?.scrollIntoView({ block: 'nearest' });
  }, [page]);

  return (
    <ol ref={list} aria-label="Pages" className="grid content-start gap-1 overflow-y-auto p-2">
      {Array.from({ length: pdf.numPages }, (_, index) => index + 1).map((number) => (
        <li key={number}>
          <button
            type="button"
            aria-label={`Page ${number}`}
            aria-current={number === page ? 'page' : undefined}
            onClick={() => onGo(number)}
            className={cn(
              'grid w-full justify-items-center gap-1.5 rounded-lg px-3 pt-3 pb-1.5 text-xs tabular-nums transition-colors duration-150 hover:bg-wash',
              number === page ? 'bg-wash font-medium text-ink' : 'text-graphite',
            )}
          >
            <Thumbnail number={number} painter={painter} />
            {number}
          </button>
        </li>
      ))}
    </ol>
  );
}

function Thumbnail({ number, painter }: { number: number; painter: ThumbnailPainter | null }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => (place.current ? painter?.watch(place.current, number) : undefined), [painter, number]);
  return (
    <span
      ref={place}
      // A4 until its size is known
      style={{ aspectRatio: '210 / 297' }}
      className="block w-full max-w-36 overflow-hidden bg-white shadow-(--lift) outline outline-hairline [&>canvas]:block [&>canvas]:size-full"
    />
  );
}
