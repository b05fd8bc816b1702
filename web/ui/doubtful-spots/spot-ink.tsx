import { useEffect, useRef, useState } from 'react';
import type { ShareBox } from '#latex/assemble/page-body.ts';

interface SpotInkProps {
  page: number;
  /** The part of the page to show. */
  box: ShareBox;
  /** The page's image; null if it no longer exists. */
  fetchPicture: (page: number, signal: AbortSignal) => Promise<Blob | null>;
}

/** Margins around the line, as shares of its height and of the page's width. */
const above = 0.35;
const margin = 0.012;

/** The line that a doubtful spot was read from, cropped from its page. Renders nothing without an image. */
export function SpotInk({ page, box, fetchPicture }: SpotInkProps) {
  const place = useRef<HTMLCanvasElement>(null);
  const [picture, setPicture] = useState<{ page: number; bitmap: ImageBitmap } | null>(null);
  const fetching = useRef(fetchPicture);
  fetching.current = fetchPicture;

  useEffect(() => {
    const end = new AbortController();
    let made: ImageBitmap | null = null;
    fetching
      .current(page, end.signal)
      .then((blob) => (blob ? createImageBitmap(blob) : null))
      .then(
        (bitmap) => {
          if (end.signal.aborted) return bitmap?.close();
          made = bitmap;
          setPicture(bitmap && { page, bitmap });
        },
        // moved on to another page, or not an image: show the words alone
        () => undefined,
      );
    return () => {
      end.abort();
      setPicture(null);
      made?.close();
    };
  }, [page]);

  const [left, top, width, height] = box;
  useEffect(() => {
    const canvas = place.current;
    if (!canvas || picture?.page !== page) return;
    const { bitmap } = picture;
    const from = {
      x: Math.max(0, Math.floor((left - margin) * bitmap.width)),
      y: Math.max(0, Math.floor((top - above * height) * bitmap.height)),
    };
    canvas.width = Math.max(1, Math.min(bitmap.width - from.x, (width + 2 * margin) * bitmap.width));
    canvas.height = Math.max(1, Math.min(bitmap.height - from.y, (1 + 2 * above) * height * bitmap.height));
    canvas.getContext('2d')?.drawImage(bitmap, -from.x, -from.y);
  }, [picture, page, left, top, width, height]);

  if (picture?.page !== page) return null;
  return (
    <canvas
      ref={place}
      role="img"
      aria-label={`Original ink on page ${page}`}
      className="block h-auto max-h-20 w-auto max-w-full rounded-sm bg-white outline outline-hairline"
    />
  );
}
