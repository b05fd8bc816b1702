import { ChevronDown, ChevronUp, Maximize2, Minus, Plus, Search, X } from 'lucide-react';
import {
  type KeyboardEvent,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import type { PdfPlace } from '#shared/api/compile-session.ts';
import type { LiveState } from '#web/lib/compile-session.ts';
import { readPdf } from '#web/lib/pdf-address.ts';
import type { EventBus } from '#web/lib/pdfjs-viewer.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Loading } from '#web/ui/loading.tsx';
import { createPdfStage, type PdfStage, type StageView } from './pdf-stage.ts';

export interface PdfViewerHandle {
  /** Scrolls there and marks it for a moment. */
  point: (place: PdfPlace) => void;
  /** The page that is looked at, 1-based. */
  getPage: () => number;
}

interface PdfViewerProps {
  ref?: Ref<PdfViewerHandle>;
  /** As made by pdf-address.ts. */
  address: string;
  /** Pages that are newer than the PDF at the address. */
  pages: LiveState['pages'];
  /** A place that was double-clicked, in PDF points. */
  onPick: (point: { page: number; x: number; y: number }) => void;
}

interface Found {
  current: number;
  total: number;
}

/**
 * The PDF with its text: select, search, zoom, turn pages. Scripts in it never run. A new PDF keeps the place, and takes
 * it only once it is painted. It must have a size even while it is not seen (`visibility`, not `display`): pdf.js lays
 * its pages out at once.
 */
export function PdfViewer({ ref, address, pages, onPick }: PdfViewerProps) {
  const host = useRef<HTMLDivElement>(null);
  const stage = useRef<PdfStage | null>(null);
  const [view, setView] = useState<StageView | null>(null);
  const [isFailed, setIsFailed] = useState(false);
  const [isFinding, setIsFinding] = useState(false);
  const latest = useRef({ onPick, page: 1 });
  latest.current = { onPick, page: view?.page ?? 1 };
  const { page = 1, pageCount = 0, zoom = 100 } = view ?? {};

  useEffect(() => {
    if (!host.current) return;
    const made = createPdfStage({
      host: host.current,
      label: 'PDF pages',
      onView: setView,
      onPick: (point) => latest.current.onPick(point),
    });
    stage.current = made;
    return () => {
      stage.current = null;
      made.destroy();
    };
  }, []);

  useEffect(() => {
    let isCurrent = true;
    setIsFailed(false);
    void (async () => {
      const bytes = new Uint8Array(await readPdf(address).arrayBuffer());
      const isGood = await stage.current?.show(bytes);
      if (isCurrent && isGood === false) setIsFailed(true);
    })();
    return () => {
      isCurrent = false;
    };
  }, [address]);

  useEffect(() => void stage.current?.patch(pages), [pages]);

  useImperativeHandle(ref, () => ({
    point: (place) => stage.current?.point(place),
    getPage: () => latest.current.page,
  }));

  const goTo = (number: number) => stage.current?.goTo(number);
  const handleKey = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'f') {
      event.preventDefault();
      setIsFinding(true);
    }
  };
  const closeFind = useCallback(() => {
    setIsFinding(false);
    view?.bus.dispatch('findbarclose', { source: null });
    stage.current?.focus();
  }, [view?.bus]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only catches the search key of what is inside
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
          <IconButton label="Zoom out" size="small" onClick={() => stage.current?.zoomBy(-1)}>
            <Minus />
          </IconButton>
          <span className="min-w-11 text-center text-graphite tabular-nums max-sm:sr-only">{zoom} %</span>
          <IconButton label="Zoom in" size="small" onClick={() => stage.current?.zoomBy(1)}>
            <Plus />
          </IconButton>
          <IconButton label="Fit to width" size="small" onClick={() => stage.current?.fitWidth()}>
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
      <div className="relative min-h-0 flex-1 bg-paper-deep">
        <div ref={host} className="absolute inset-0" />
        {pageCount === 0 && !isFailed && <Loading />}
        {isFailed && (
          <p role="alert" className="grid h-full place-items-center p-8 text-center text-graphite">
            This PDF could not be shown here. It can still be downloaded.
          </p>
        )}
      </div>
    </div>
  );
}

function PageField({
  page,
  pageCount,
  onGo,
}: {
  page: number;
  pageCount: number;
  onGo: (number: number) => void;
}) {
  const [text, setText] = useState('1');
  useEffect(() => setText(String(page)), [page]);
  return (
    <form
      className="flex items-center gap-1.5 pl-1 text-graphite tabular-nums"
      onSubmit={(event) => {
        event.preventDefault();
        onGo(Number(text));
      }}
    >
      <input
        aria-label="PDF page"
        inputMode="numeric"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => setText(String(page))}
        className="h-8 w-10 rounded-md border border-edge bg-page text-center text-ink pointer-coarse:h-10"
      />
      / {pageCount || '–'}
    </form>
  );
}

function FindBar({ bus, onClose }: { bus: EventBus; onClose: () => void }) {
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => input.current?.focus(), []);
  const asked = useRef('');
  asked.current = query;
  useEffect(() => {
    // another PDF came to the front: what was looked for is looked for there
    if (asked.current) dispatchFind(bus, asked.current, '');
    const handleCount = (event: { matchesCount: Found }) => setFound(event.matchesCount);
    bus.on('updatefindmatchescount', handleCount);
    bus.on('updatefindcontrolstate', handleCount);
    return () => {
      bus.off('updatefindmatchescount', handleCount);
      bus.off('updatefindcontrolstate', handleCount);
    };
  }, [bus]);

  const find = (text: string, type: '' | 'again', isBackwards = false) =>
    dispatchFind(bus, text, type, isBackwards);

  return (
    <search className="flex shrink-0 items-center gap-1 border-b border-hairline px-2 py-1.5 text-[0.8125rem]">
      <input
        ref={input}
        type="search"
        aria-label="Search in the PDF"
        placeholder="Search in the PDF"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          if (event.target.value === '') setFound(null);
          find(event.target.value, '');
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') find(query, 'again', event.shiftKey);
          if (event.key === 'Escape') onClose();
        }}
        className="h-8 min-w-0 flex-1 rounded-md border border-edge bg-page px-2 pointer-coarse:h-10 pointer-coarse:text-base"
      />
      <span role="status" className="min-w-16 text-center text-graphite tabular-nums">
        {query && found ? (found.total > 0 ? `${found.current} of ${found.total}` : 'Not found') : ''}
      </span>
      <IconButton
        label="Previous match"
        size="small"
        disabled={!found?.total}
        onClick={() => find(query, 'again', true)}
      >
        <ChevronUp />
      </IconButton>
      <IconButton
        label="Next match"
        size="small"
        disabled={!found?.total}
        onClick={() => find(query, 'again')}
      >
        <ChevronDown />
      </IconButton>
      <IconButton label="Close search" size="small" onClick={onClose}>
        <X />
      </IconButton>
    </search>
  );
}

function dispatchFind(bus: EventBus, query: string, type: '' | 'again', isBackwards = false): void {
  bus.dispatch('find', {
    source: null,
    type,
    query,
    caseSensitive: false,
    entireWord: false,
    highlightAll: true,
    findPrevious: isBackwards,
    matchDiacritics: false,
  });
}
