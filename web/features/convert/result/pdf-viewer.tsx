import { ChevronDown, ChevronUp, Maximize2, Minus, Plus, Search, X } from 'lucide-react';
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { readPdf } from '#web/lib/pdf-address.ts';
import { openPdf } from '#web/lib/pdfjs.ts';
import {
  EventBus,
  LinkTarget,
  PDFFindController,
  PDFLinkService,
  PDFViewer as Viewer,
} from '#web/lib/pdfjs-viewer.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Loading } from '#web/ui/loading.tsx';
import { ScrollArea } from '#web/ui/scroll-area.tsx';

interface PdfViewerProps {
  /** As made by pdf-address.ts. */
  address: string;
}

interface Found {
  current: number;
  total: number;
}

/**
 * The PDF with its text: select, search, zoom, turn pages. Scripts in it never run. A new PDF keeps the place.
 * It must have a size even while it is not seen (`visibility`, not `display`): pdf.js lays its pages out at once.
 */
export function PdfViewer({ address }: PdfViewerProps) {
  const container = useRef<HTMLDivElement>(null);
  const viewer = useRef<Viewer | null>(null);
  const bus = useRef<EventBus | null>(null);
  const links = useRef<PDFLinkService | null>(null);
  const [page, setPage] = useState(1);
  const [pageCount, setPageCount] = useState(0);
  const [zoom, setZoom] = useState(100);
  const [isFailed, setIsFailed] = useState(false);
  const [isFinding, setIsFinding] = useState(false);

  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const eventBus = new EventBus();
    const linkService = new PDFLinkService({
      eventBus,
      externalLinkTarget: LinkTarget.BLANK,
      externalLinkRel: 'noopener noreferrer',
    });
    const findController = new PDFFindController({ eventBus, linkService });
    const made = new Viewer({
      container: element,
      eventBus,
      linkService,
      findController,
      // links work, form fields and editing do not
      annotationMode: 1,
      annotationEditorMode: -1,
    });
    linkService.setViewer(made);
    eventBus.on('pagechanging', (event: { pageNumber: number }) => setPage(event.pageNumber));
    eventBus.on('scalechanging', (event: { scale: number }) => setZoom(Math.round(event.scale * 100)));
    viewer.current = made;
    bus.current = eventBus;
    links.current = linkService;
    return () => {
      // the viewer's types deny null, its code asks for it
      made.setDocument(null as never);
      linkService.setDocument(null as never);
      viewer.current = null;
    };
  }, []);

  const loaded = useRef<{ close: () => void } | null>(null);
  useEffect(() => () => loaded.current?.close(), []);
  useEffect(() => {
    const previous = loaded.current;
    const load = { close: () => {} };
    loaded.current = load;
    setIsFailed(false);
    void (async () => {
      try {
        const task = openPdf(new Uint8Array(await readPdf(address).arrayBuffer()));
        load.close = () => void task.destroy();
        const document = await task.promise;
        const made = viewer.current;
        if (loaded.current !== load || !made || !container.current) return load.close();
        const place = { top: container.current.scrollTop, left: container.current.scrollLeft };
        const scale = made.currentScaleValue;
        bus.current?.on(
          'pagesinit',
          () => {
            made.currentScaleValue = scale || 'page-width';
            container.current?.scrollTo(place);
          },
          { once: true },
        );
        made.setDocument(document);
        links.current?.setDocument(document);
        previous?.close();
        setPageCount(document.numPages);
        setPage((shown) => Math.min(shown, document.numPages));
      } catch {
        if (loaded.current === load) setIsFailed(true);
      }
    })();
  }, [address]);

  // pages fitted to the width follow it
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      const made = viewer.current;
      if (made?.pagesCount && element.clientWidth > 0 && made.currentScaleValue === 'page-width')
        made.currentScaleValue = 'page-width';
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const goTo = (number: number) => {
    if (viewer.current && number >= 1 && number <= pageCount) viewer.current.currentPageNumber = number;
  };
  const handleKey = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'f') {
      event.preventDefault();
      setIsFinding(true);
    }
  };
  const closeFind = useCallback(() => {
    setIsFinding(false);
    bus.current?.dispatch('findbarclose', { source: null });
    container.current?.focus();
  }, []);

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
          <IconButton label="Zoom out" size="small" onClick={() => viewer.current?.decreaseScale()}>
            <Minus />
          </IconButton>
          <span className="min-w-11 text-center text-graphite tabular-nums max-sm:sr-only">{zoom} %</span>
          <IconButton label="Zoom in" size="small" onClick={() => viewer.current?.increaseScale()}>
            <Plus />
          </IconButton>
          <IconButton
            label="Fit to width"
            size="small"
            onClick={() => {
              if (viewer.current) viewer.current.currentScaleValue = 'page-width';
            }}
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
      {isFinding && bus.current && <FindBar bus={bus.current} onClose={closeFind} />}
      <div className="relative min-h-0 flex-1 bg-paper-deep">
        <ScrollArea
          ref={container}
          label="PDF pages"
          className="pdf-container absolute inset-0 overflow-auto"
        >
          <div className="pdfViewer" />
        </ScrollArea>
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

  useEffect(() => {
    input.current?.focus();
    const handleCount = (event: { matchesCount: Found }) => setFound(event.matchesCount);
    bus.on('updatefindmatchescount', handleCount);
    bus.on('updatefindcontrolstate', handleCount);
    return () => {
      bus.off('updatefindmatchescount', handleCount);
      bus.off('updatefindcontrolstate', handleCount);
    };
  }, [bus]);

  const find = (text: string, type: '' | 'again', isBackwards = false) =>
    bus.dispatch('find', {
      source: null,
      type,
      query: text,
      caseSensitive: false,
      entireWord: false,
      highlightAll: true,
      findPrevious: isBackwards,
      matchDiacritics: false,
    });

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
