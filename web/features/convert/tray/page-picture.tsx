import { useEffect, useRef, useState } from 'react';
import { cn } from '#web/ui/cn.ts';
import { drawPage, type SourceHandle } from './open-source.ts';
import type { Rotation } from './tray-state.ts';

/** Pictures up to this width are thumbnails, CSS pixels. */
const thumbnailWidth = 160;

interface PagePictureProps {
  handle: SourceHandle | null;
  pageIndex: number;
  rotation: Rotation;
  /** The box to fit into, in CSS pixels. */
  maxWidth: number;
  maxHeight: number;
  /** Empty if a surrounding element is labelled. */
  label: string;
  className?: string;
}

/** A page as this browser can draw it, drawn when it scrolls into view. */
export function PagePicture(props: PagePictureProps) {
  const { handle, pageIndex, rotation, maxWidth, maxHeight, label, className } = props;
  const place = useRef<HTMLDivElement>(null);
  const [isInSight, setIsInSight] = useState(false);
  const [isDrawn, setIsDrawn] = useState(false);

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        setIsInSight(true);
        observer.disconnect();
      },
      { rootMargin: '300px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (!handle || !isInSight) return;
    const stopper = new AbortController();
    // thumbnails are always drawn at double size: letters of two pixels would blur
    const density = maxWidth <= thumbnailWidth ? 2 : Math.min(2, devicePixelRatio || 1);
    const box = { maxWidth: maxWidth * density, maxHeight: maxHeight * density };
    void drawPage({ handle, pageIndex, rotation, ...box, signal: stopper.signal }).then((canvas) => {
      const element = place.current;
      if (!canvas || stopper.signal.aborted || !element) return;
      canvas.style.width = `${canvas.width / density}px`;
      canvas.style.maxWidth = '100%';
      canvas.style.display = 'block';
      element.replaceChildren(canvas);
      setIsDrawn(true);
    });
    return () => stopper.abort();
  }, [handle, pageIndex, rotation, maxWidth, maxHeight, isInSight]);

  return (
    <div
      ref={place}
      {...(label ? { role: 'img', 'aria-label': label } : {})}
      className={cn(!isDrawn && 'aspect-[1/1.414] w-full bg-page', className)}
    />
  );
}
