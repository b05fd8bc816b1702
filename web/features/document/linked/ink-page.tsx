import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { getPageImage } from '#web/lib/api/document-api.ts';
import { type InkMark, InkMarks } from '#web/ui/ink-marks.tsx';

interface InkPageProps {
  documentId: string;
  /** Number, and size in pixels. */
  page: { number: number; width: number; height: number };
  /** In CSS pixels. */
  width: number;
  lit: readonly InkMark[];
  doubtful: readonly InkMark[];
  /** Called with shares of the picture, 0 … 1. */
  onPick: (point: { x: number; y: number }) => void;
}

type Picture = { kind: 'waiting' } | { kind: 'shown'; address: string } | { kind: 'missing' };

/** One original page, loaded when it is nearly visible. */
export function InkPage({ documentId, page, width, lit, doubtful, onPick }: InkPageProps) {
  const place = useRef<HTMLElement>(null);
  const [isNear, setIsNear] = useState(false);
  const [picture, setPicture] = useState<Picture>({ kind: 'waiting' });

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setIsNear(true),
      { root: element.closest('[role="group"]'), rootMargin: '100% 0px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (!isNear) return;
    const end = new AbortController();
    let address: string | null = null;
    getPageImage(documentId, page.number, end.signal).then(
      (answer) => {
        if (end.signal.aborted) return;
        if (answer.ok) address = URL.createObjectURL(answer.data);
        setPicture(address === null ? { kind: 'missing' } : { kind: 'shown', address });
      },
      // the pane was closed
      () => undefined,
    );
    return () => {
      end.abort();
      if (address) URL.revokeObjectURL(address);
    };
  }, [isNear, documentId, page.number]);

  const handleClick = (event: MouseEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    onPick({ x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height });
  };
  const height = Math.round((width * page.height) / page.width);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a point in a picture; with the keyboard, the cursor in the source highlights it
    <figure
      ref={place}
      data-page={page.number}
      className="relative mx-auto cursor-pointer overflow-hidden bg-white shadow-(--lift) outline outline-hairline"
      style={{ width, height }}
      onClick={handleClick}
    >
      {picture.kind === 'shown' && (
        <img
          src={picture.address}
          alt={`Page ${page.number} as written`}
          width={width}
          height={height}
          draggable={false}
          className="block size-full select-none"
        />
      )}
      {picture.kind === 'missing' && (
        <figcaption className="grid size-full place-items-center p-8 text-center text-sm text-graphite">
          The picture of page {page.number} could not be fetched.
        </figcaption>
      )}
      <InkMarks marks={doubtful} kind="doubt" />
      <InkMarks marks={lit} kind="lit" />
    </figure>
  );
}
