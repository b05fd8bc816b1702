import { ChevronDown, ChevronUp, Maximize2, Minus, Plus, Search } from 'lucide-react';
import { type KeyboardEvent, useCallback, useImperativeHandle, useRef, useState } from 'react';
import { IconButton } from '#web/ui/controls/button.tsx';
import { FindBar } from './find-bar.tsx';
import { PageField } from './page-field.tsx';
import { PdfSheets, type PdfSheetsProps } from './pdf-sheets.tsx';
import type { PdfControls, StageView } from './pdf-stage.ts';

/** An embedded PDF: its pages under one short toolbar for paging, zooming and searching. */
export function PdfViewer({ ref, onView, ...sheets }: PdfSheetsProps) {
  const controls = useRef<PdfControls>(null);
  const [view, setView] = useState<StageView | null>(null);
  const [isFinding, setIsFinding] = useState(false);
  const { page = 1, pageCount = 0, zoom = 100 } = view ?? {};
  useImperativeHandle(ref, () => controls.current!, []);

  const goTo = (number: number) => controls.current?.goTo(number);
  const handleKey = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'f') {
      event.preventDefault();
      setIsFinding(true);
    }
  };
  const closeFind = useCallback(() => {
    setIsFinding(false);
    view?.bus.dispatch('findbarclose', { source: null });
    controls.current?.focus();
  }, [view?.bus]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only catches the search key from its children
    <div className="absolute inset-0 flex flex-col" onKeyDown={handleKey}>
      <div
        className="flex h-11 shrink-0 items-center gap-0.5 border-b border-hairline px-1 text-[0.8125rem]"
        role="toolbar"
        aria-label="PDF"
      >
        <IconButton
          label="Previous PDF page"
          disabled={page <= 1}
          onClick={() => goTo(page - 1)}
          size="small"
        >
          <ChevronUp />
        </IconButton>
        <IconButton
          label="Next PDF page"
          disabled={page >= pageCount}
          onClick={() => goTo(page + 1)}
          size="small"
        >
          <ChevronDown />
        </IconButton>
        <PageField page={page} pageCount={pageCount} onGo={goTo} />
        <span className="ml-auto flex items-center gap-0.5">
          <IconButton label="Zoom out" size="small" onClick={() => controls.current?.zoomBy(-1)}>
            <Minus />
          </IconButton>
          <span className="min-w-11 text-center text-graphite tabular-nums max-sm:sr-only">{zoom} %</span>
          <IconButton label="Zoom in" size="small" onClick={() => controls.current?.zoomBy(1)}>
            <Plus />
          </IconButton>
          <IconButton
            label="Fit to width"
            size="small"
            onClick={() => controls.current?.setZoom('page-width')}
          >
            <Maximize2 />
          </IconButton>
          <IconButton
            label="Search in the PDF"
            size="small"
            aria-expanded={isFinding}
            onClick={() => (isFinding ? closeFind() : setIsFinding(true))}
          >
            <Search />
          </IconButton>
        </span>
      </div>
      {isFinding && view && <FindBar bus={view.bus} onClose={closeFind} />}
      <PdfSheets
        {...sheets}
        ref={controls}
        onView={(now) => {
          setView(now);
          onView?.(now);
        }}
      />
    </div>
  );
}
