import { useEffect, useRef, useState } from 'react';
import type { DocumentSummary } from '#shared/api/library.ts';
import { cn } from '#web/ui/cn.ts';
import { findThumbnail, loadThumbnail } from './thumbnail-store.ts';

/** How far below the window images are preloaded. */
const ahead = '400px';

/** The image of a document's first page, or a drawn placeholder. */
export function FirstPage({ document, className }: { document: DocumentSummary; className?: string }) {
  const { id, thumbnail_version: version } = document;
  const place = useRef<HTMLSpanElement>(null);
  const [url, setUrl] = useState(() => findThumbnail(id)?.url ?? null);
  useEffect(() => {
    if (version === null || !place.current) return;
    if (findThumbnail(id)?.version === version) return;
    let isUnmounted = false;
    const observer = new IntersectionObserver(
      async ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        const loaded = await loadThumbnail(id, version);
        if (!isUnmounted && loaded) setUrl(loaded);
      },
      { rootMargin: ahead },
    );
    observer.observe(place.current);
    return () => {
      isUnmounted = true;
      observer.disconnect();
    };
  }, [id, version]);
  return (
    <span
      ref={place}
      aria-hidden="true"
      className={cn('block overflow-hidden border border-hairline bg-white shadow-(--lift)', className)}
    >
      {url ? (
        <img
          src={url}
          alt=""
          draggable={false}
          // a newer version's image may have replaced it
          onError={() => setUrl(null)}
          // crops most of the page's margins, so that the text is larger
          className="size-full origin-[50%_12%] scale-115 animate-appear object-cover object-top"
        />
      ) : (
        <DrawnSheet seed={id} />
      )}
    </span>
  );
}

/** A placeholder of drawn lines, with different lengths for each document. */
function DrawnSheet({ seed }: { seed: string }) {
  const lengths = Array.from({ length: 9 }, (_, line) => {
    const digit = Number.parseInt(seed.replaceAll('-', '')[line * 3] ?? '8', 16);
    return line % 4 === 3 ? 18 + digit : 44 + digit * 1.4;
  });
  return (
    <svg
      viewBox="0 0 100 125"
      preserveAspectRatio="xMidYMin slice"
      aria-hidden="true"
      className="size-full bg-page"
    >
      <rect x="26" y="16" width="48" height="4" rx="2" className="fill-ink/25" />
      {lengths.map((length, line) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change places
          key={line}
          x={line % 4 === 3 ? 50 - length / 2 : 16}
          y={32 + line * 9}
          width={length}
          height="2.2"
          rx="1.1"
          className="fill-ink/13"
        />
      ))}
    </svg>
  );
}
