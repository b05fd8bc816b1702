import { ChevronDown, ChevronUp, Maximize2, Minus, Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { SavedDocument } from '#shared/api/library.ts';
import { IconButton } from '#web/ui/controls/button.tsx';
import { ScrollArea } from '#web/ui/controls/scroll-area.tsx';
import type { InkMark } from '#web/ui/ink-marks.tsx';
import { InkPage } from './ink-page.tsx';

interface InkPaneProps {
  documentId: string;
  pages: SavedDocument['pages'];
  lit: readonly InkMark[];
  doubtful: readonly InkMark[];
  onPick: (point: { page: number; x: number; y: number }) => void;
}

/** In percent of the pane's width. */
const zooms = [50, 75, 100, 125, 150, 200, 300];
/** Margin around the pages, in CSS pixels: the same as the PDF viewer's. */
const padding = 16;

/** The original pages, in a column. */
export function InkPane({ documentId, pages, lit, doubtful, onPick }: InkPaneProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  const [zoom, setZoom] = useState(100);
  const [current, setCurrent] = useState(pages[0]?.number ?? 1);
  const width = Math.round(((room - 2 * padding) * zoom) / 100);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setRoom(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // scrolls highlighted ink into view, unless it is visible already
  useEffect(() => {
    const element = scroller.current;
    const [first] = lit;
    if (!element || !first || width <= 0) return;
    const sheet = element.querySelector<HTMLElement>(`[data-page="${first.page}"]`);
    if (!sheet) return;
    const [, top, , height] = first.box ?? [0, 0, 1, 0];
    const from = sheet.offsetTop + top * sheet.offsetHeight;
    const to = from + height * sheet.offsetHeight;
    const { scrollTop, clientHeight } = element;
    if (from >= scrollTop + 24 && to <= scrollTop + clientHeight - 24) return;
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    element.scrollTo({
      top: (from + to - clientHeight) / 2,
      behavior: isCalm || Math.abs(from - scrollTop) > 3 * clientHeight ? 'auto' : 'smooth',
    });
  }, [lit, width]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const follow = () => {
      const middle = element.scrollTop + element.clientHeight / 3;
      const sheets = [...element.querySelectorAll<HTMLElement>('[data-page]')];
      const seen = sheets.findLast((sheet) => sheet.offsetTop <= middle) ?? sheets[0];
      if (seen) setCurrent(Number(seen.dataset.page));
    };
    element.addEventListener('scroll', follow, { passive: true });
    return () => element.removeEventListener('scroll', follow);
  }, []);
  const at = pages.findIndex((page) => page.number === current);
  const goTo = (index: number) => {
    const page = pages[index];
    const sheet = page && scroller.current?.querySelector<HTMLElement>(`[data-page="${page.number}"]`);
    if (sheet) scroller.current?.scrollTo({ top: sheet.offsetTop - padding });
  };
  const zoomBy = (step: 1 | -1) => {
    const next = step > 0 ? zooms.find((one) => one > zoom) : zooms.findLast((one) => one < zoom);
    if (next) setZoom(next);
  };

  return (
    <div className="absolute inset-0 flex flex-col">
      <div
        className="flex h-11 shrink-0 items-center gap-0.5 border-b border-hairline px-1 text-[0.8125rem]"
        role="toolbar"
        aria-label="Ink"
      >
        <IconButton label="Previous page" size="small" disabled={at <= 0} onClick={() => goTo(at - 1)}>
          <ChevronUp />
        </IconButton>
        <IconButton
          label="Next page"
          size="small"
          disabled={at >= pages.length - 1}
          onClick={() => goTo(at + 1)}
        >
          <ChevronDown />
        </IconButton>
        <span className="px-1.5 text-graphite tabular-nums">
          <span className="sr-only">Page </span>
          {at + 1} / {pages.length}
        </span>
        <span className="ml-auto flex items-center gap-0.5">
          <IconButton label="Zoom out" size="small" disabled={zoom === zooms[0]} onClick={() => zoomBy(-1)}>
            <Minus />
          </IconButton>
          <span className="min-w-11 text-center text-graphite tabular-nums max-sm:sr-only">{zoom} %</span>
          <IconButton label="Zoom in" size="small" disabled={zoom === zooms.at(-1)} onClick={() => zoomBy(1)}>
            <Plus />
          </IconButton>
          <IconButton label="Fit to width" size="small" onClick={() => setZoom(100)}>
            <Maximize2 />
          </IconButton>
        </span>
      </div>
      <div className="relative min-h-0 flex-1 bg-paper-deep">
        <ScrollArea ref={scroller} label="Pages as written" className="absolute inset-0 overflow-auto">
          <div className="flex min-w-max flex-col gap-4 p-4">
            {width > 0 &&
              pages.map((page) => (
                <InkPage
                  key={page.number}
                  documentId={documentId}
                  page={page}
                  width={width}
                  lit={lit.filter((mark) => mark.page === page.number)}
                  doubtful={doubtful.filter((mark) => mark.page === page.number)}
                  onPick={(point) => onPick({ page: page.number, ...point })}
                />
              ))}
          </div>
        </ScrollArea>
      </div>
    </div>
  );
}
