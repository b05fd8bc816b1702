/** One of the two viewers that pdf-stage.ts alternates: pdf.js' component in a scroll container of its own. */
import { openPdf, type PageViewport, type PDFDocumentProxy, type PDFWorker } from '#web/lib/pdf/pdfjs.ts';
import {
  EventBus,
  LinkTarget,
  PDFFindController,
  PDFLinkService,
  PDFViewer,
} from '#web/lib/pdf/pdfjs-viewer.ts';
import { createHeldText } from './held-text.ts';

/** The parts of pdf.js' page views used here. */
export interface PageView {
  div: HTMLDivElement;
  /** `scale`: CSS pixels per PDF point. */
  viewport: PageViewport;
  renderingState: number;
}

export interface PdfBoard {
  container: HTMLDivElement;
  viewer: PDFViewer;
  bus: EventBus;
  links: PDFLinkService;
  /**
   * Loads a PDF and lays its pages out; resolves once their sizes are known, before any is painted.
   * @param worker shared by the boards of a stage, which owns it
   * @param isNew it replaces no other
   */
  load(bytes: Uint8Array<ArrayBuffer>, worker: PDFWorker, isNew: boolean): Promise<PDFDocumentProxy>;
  clear(): void;
  /** 1-based; null if there is no such page. */
  findPage(number: number): PageView | null;
  /** Numbers of the visible pages. */
  listPagesInSight(): number[];
  /** Resolves once the visible pages are painted; `withText`: once their text can be selected, a moment later. */
  whenPainted(withText: boolean): Promise<void>;
  /** Somebody turns to the pages: text that waits is laid out now. */
  layOutText(): void;
}

/** pdf.js' RenderingStates.FINISHED */
const finished = 3;
/** A page that takes longer than this, in ms, is shown while it is being painted. */
const paintTimeoutMs = 4_000;
/**
 * pdf.js also draws the page after the visible ones, and lays out their text; of a PDF that replaces another only this
 * much later, in ms: while its source is being written, the next one arrives sooner, and all of it slows down each key.
 */
const restMs = 3_000;
/** What somebody does who is about to select text. */
const attention = ['pointermove', 'pointerdown', 'focusin'] as const;

export function createPdfBoard(host: HTMLElement): PdfBoard {
  const container = document.createElement('div');
  container.className = 'pdf-container absolute inset-0 overflow-auto';
  const pages = document.createElement('div');
  pages.className = 'pdfViewer';
  container.append(pages);
  host.append(container);

  const bus = new EventBus();
  const links = new PDFLinkService({
    eventBus: bus,
    externalLinkTarget: LinkTarget.BLANK,
    externalLinkRel: 'noopener noreferrer',
  });
  const findController = new PDFFindController({ eventBus: bus, linkService: links });
  const viewer = new PDFViewer({
    container,
    eventBus: bus,
    linkService: links,
    findController,
    // links work; form fields and editing do not. Without a scripting manager, scripts in a PDF never run
    annotationMode: 1,
    annotationEditorMode: -1,
  });
  links.setViewer(viewer);
  // the board is one tab stop, not one per page
  bus.on('textlayerrendered', ({ source }: { source: PageView }) =>
    source.div.querySelector('.textLayer')?.setAttribute('tabindex', '-1'),
  );
  const text = createHeldText(bus);
  for (const name of attention) container.addEventListener(name, text.release, { passive: true });
  // what is found is marked in the text
  bus.on('find', text.release);
  let task: ReturnType<typeof openPdf> | null = null;
  let drawsAhead = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const queue = viewer.renderingQueue!;
  const choose = queue.getHighestPriority.bind(queue);
  queue.getHighestPriority = (visible: { views: { view: object & { detailView?: object } }[] }, ...more) => {
    const next: object | null = choose(visible, ...more);
    const isVisible = visible.views.some(({ view }) => view === next || view.detailView === next);
    return isVisible || drawsAhead ? next : null;
  };

  const findPage = (number: number) =>
    number >= 1 && number <= viewer.pagesCount ? (viewer.getPageView(number - 1) as PageView) : null;

  const clear = () => {
    clearTimeout(timer);
    drawsAhead = false;
    text.forget();
    // the viewer's types forbid null, but its code requires it
    viewer.setDocument(null as never);
    links.setDocument(null as never);
    void task?.destroy();
    task = null;
  };

  const listPagesInSight = () => {
    const { scrollTop, clientHeight } = container;
    const found: number[] = [];
    for (let number = 1; number <= viewer.pagesCount; number++) {
      const { offsetTop, offsetHeight } = findPage(number)!.div;
      if (offsetTop + offsetHeight > scrollTop && offsetTop < scrollTop + clientHeight) found.push(number);
    }
    return found;
  };

  return {
    container,
    viewer,
    bus,
    links,
    clear,
    findPage,
    listPagesInSight,
    async load(bytes, worker, isNew) {
      clear();
      const opening = openPdf(bytes, worker);
      task = opening;
      const loaded = await opening.promise;
      if (task !== opening) throw new Error('Another PDF was requested in the meantime');
      const hasPages = new Promise<void>((resolve) =>
        bus.on('pagesinit', () => resolve(), { once: true } as never),
      );
      drawsAhead = isNew;
      if (!isNew) {
        text.hold();
        timer = setTimeout(() => {
          drawsAhead = true;
          text.release();
          viewer.update();
        }, restMs);
      }
      viewer.setDocument(loaded);
      links.setDocument(loaded);
      await hasPages;
      return loaded;
    },
    layOutText: text.release,
    whenPainted(withText) {
      if (withText) text.release();
      return new Promise((resolve) => {
        const check = () => {
          const isPainted = listPagesInSight().every((number) => {
            const page = findPage(number);
            if (page?.renderingState !== finished) return false;
            return !withText || page.div.querySelector('.textLayer') !== null;
          });
          if (isPainted) done();
        };
        const done = () => {
          clearTimeout(timeout);
          bus.off('pagerendered', check);
          bus.off('textlayerrendered', check);
          resolve();
        };
        const timeout = setTimeout(done, paintTimeoutMs);
        bus.on('pagerendered', check);
        bus.on('textlayerrendered', check);
        viewer.update();
        check();
      });
    },
  };
}
