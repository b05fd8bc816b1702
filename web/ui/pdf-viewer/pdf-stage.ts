/**
 * Shows one PDF after the other without a blank moment: the next one is laid out and painted on a second board behind
 * the first, at the same place and zoom, and swapped in when its visible part is ready. Single pages that are
 * available earlier are painted over the old ones until then.
 */
import { createPdfWorker, type PDFDocumentProxy } from '#web/lib/pdf/pdfjs.ts';
import type { EventBus } from '#web/lib/pdf/pdfjs-viewer.ts';
import { createPdfBoard, type PdfBoard } from './pdf-board.ts';
import { clearMarks, drawMarks, findPlace, placeBox } from './pdf-marks.ts';
import { clearPatches, paintPatches } from './pdf-patches.ts';
import type { PdfBox, PdfMark, PdfPages, PdfPoint } from './pdf-places.ts';
import { readSelection, restoreSelection } from './pdf-selection.ts';
import { listenToZoomGestures, maxScale, minScale } from './zoom-gestures.ts';

/** `auto`: as wide as the viewer, up to 125 %. */
type FittedZoom = 'auto' | 'page-width' | 'page-fit';
/** 1 is the paper's real size. */
export type Zoom = FittedZoom | number;

/** By a line, by a window's height, or all the way. */
export type ScrollStep = 'line-up' | 'line-down' | 'up' | 'down' | 'start' | 'end';

export interface StageView {
  /** 1-based. */
  page: number;
  pageCount: number;
  /** Percent, rounded. */
  zoom: number;
  /** The requested zoom: fitted pages follow the window's size. */
  zoomMode: FittedZoom | 'free';
  /** Degrees clockwise: 0, 90, 180, 270. */
  rotation: number;
  /** The event bus of the board in front, used by the search bar. */
  bus: EventBus;
  /** The PDF in front; destroyed when another replaces it. */
  pdf: PDFDocumentProxy;
}

/** What the component that shows a PDF can do with it. */
export interface PdfControls {
  /** Scrolls to the top of the page, or until the box is visible. */
  goTo(page: number, box?: PdfBox): void;
  /** Scrolls to the place, and marks it for a moment. */
  point(place: { page: number; rectangles: readonly PdfBox[]; focus: PdfBox }): void;
  /** A destination as found in outlines and links. */
  goToDestination(destination: string | unknown[]): void;
  /** The current page, 1-based. */
  getPage(): number;
  setZoom(zoom: Zoom): void;
  zoomBy(direction: 1 | -1): void;
  /** Rotates by a quarter turn, clockwise for 1. */
  rotate(direction: 1 | -1): void;
  /** Shows one page at a time, as large as fits; false restores the previous view. */
  present(isOn: boolean): void;
  scroll(step: ScrollStep): void;
  focus(): void;
}

export interface PdfStage extends PdfControls {
  /** The newest PDF wins; one being painted is shown first. @returns false if the PDF cannot be shown */
  show(bytes: Uint8Array<ArrayBuffer>): Promise<boolean>;
  /** Pages newer than the PDF in front; null removes them. */
  patch(pages: PdfPages | null): Promise<void>;
  /** All marks except the momentary ones. */
  mark(marks: readonly PdfMark[]): void;
  destroy(): void;
}

interface StageOptions {
  host: HTMLElement;
  label: string;
  /** The initial zoom. Default: `auto`. */
  zoom?: Zoom;
  onView: (view: StageView) => void;
  onPlace: (point: PdfPoint, kind: 'click' | 'double-click') => void;
}

/** How long a momentary mark lasts, in ms; pdf-viewer.css fades it out. */
const markMs = 1_600;
/** Margin around a box that is scrolled to, in CSS pixels. */
const clearance = 24;
/** pdf.js' ScrollMode: all pages in a column, or a single one. */
const scrollModes = { all: 0, single: 3 };
/** The height of a line, in CSS pixels. */
const linePixels = 48;

export function createPdfStage({
  host,
  label,
  zoom = 'page-width',
  onView,
  onPlace,
}: StageOptions): PdfStage {
  const worker = createPdfWorker();
  // the error is handled where the worker is awaited
  worker.catch(() => undefined);
  const boards = [createPdfBoard(host), createPdfBoard(host)] as [PdfBoard, PdfBoard];
  let front = boards[0];
  let back = boards[1];
  let isShown = false;
  let isDestroyed = false;
  let next: Uint8Array<ArrayBuffer> | null = null;
  let swapping: Promise<boolean> | null = null;
  let patchNumber = 0;
  /** The momentary mark, for a board that comes to the front in the meantime. */
  let pointed: { mark: PdfMark; until: number } | null = null;
  let marks: readonly PdfMark[] = [];
  /** The view before the presentation started. */
  let beforePresenting: string | null = null;

  const notify = () => {
    const { currentPageNumber, pagesCount, currentScale, currentScaleValue, pagesRotation, pdfDocument } =
      front.viewer;
    if (!pdfDocument) return;
    onView({
      page: currentPageNumber,
      pageCount: pagesCount,
      zoom: Math.round(currentScale * 100),
      zoomMode: isFitted(currentScaleValue) ? currentScaleValue : 'free',
      rotation: pagesRotation,
      bus: front.bus,
      pdf: pdfDocument,
    });
  };
  const dress = () => {
    for (const [board, isFront] of [
      [front, true],
      [back, false],
    ] as const) {
      const { container } = board;
      container.style.visibility = isFront ? '' : 'hidden';
      container.ariaHidden = isFront ? null : 'true';
      if (isFront) container.tabIndex = 0;
      else container.removeAttribute('tabindex');
      if (isFront) container.setAttribute('role', 'group');
      else container.removeAttribute('role');
      if (isFront) container.setAttribute('aria-label', label);
      else container.removeAttribute('aria-label');
    }
  };
  dress();

  const handlePress = (event: MouseEvent, kind: 'click' | 'double-click') => {
    const target = event.target as Element;
    const div = target.closest<HTMLElement>('.page');
    const number = Number(div?.dataset.pageNumber);
    const page = div && front.findPage(number);
    if (!page || event.button !== 0 || target.closest('a')) return;
    // a click that ends a text selection is not a click on the place
    if (kind === 'click' && getSelection()?.isCollapsed === false) return;
    const box = div.getBoundingClientRect();
    const left = event.clientX - box.left - div.clientLeft;
    onPlace({ page: number, ...findPlace(page, left, event.clientY - box.top - div.clientTop) }, kind);
  };
  const teardowns = boards.map((board) => {
    const { bus, container } = board;
    for (const name of ['pagechanging', 'scalechanging', 'rotationchanging'])
      bus.on(name, () => {
        if (board === front && isShown) notify();
      });
    // repainting a page removes its marks
    bus.on('pagerendered', ({ pageNumber }: { pageNumber: number }) => dressPage(board, pageNumber));
    container.addEventListener('click', (event) => handlePress(event, 'click'));
    container.addEventListener('dblclick', (event) => handlePress(event, 'double-click'));
    return listenToZoomGestures(board);
  });
  const dressPage = (board: PdfBoard, number: number) => {
    const page = board.findPage(number);
    if (!page) return;
    clearMarks(page.div, ['search', 'linked']);
    drawMarks(
      page,
      marks.filter((one) => one.page === number),
    );
  };

  // fitted pages follow the size of their container
  const observer = new ResizeObserver(() => {
    for (const { viewer } of boards) {
      const fitted = viewer.currentScaleValue;
      if (viewer.pagesCount > 0 && host.clientWidth > 0 && isFitted(fitted))
        viewer.currentScaleValue = fitted;
    }
  });
  observer.observe(host);

  let endWaiting = () => {};
  /** pdf.js cannot lay out pages in a hidden pane, as they have no scroll position. */
  const whenDisplayed = () =>
    new Promise<void>((resolve) => {
      if (isDisplayed(host)) return resolve();
      const watch = new ResizeObserver(() => isDisplayed(host) && endWaiting());
      endWaiting = () => {
        watch.disconnect();
        resolve();
      };
      watch.observe(host);
    });

  const place = (board: PdfBoard) => {
    const { scrollTop: top, scrollLeft: left } = front.container;
    if (board.container.scrollTop !== top || board.container.scrollLeft !== left)
      board.container.scrollTo({ top, left, behavior: 'instant' });
  };

  const swap = async (bytes: Uint8Array<ArrayBuffer>): Promise<boolean> => {
    try {
      await back.load(bytes, await worker, !isShown);
    } catch {
      return isDestroyed;
    }
    if (isDestroyed) return true;
    if (isShown) {
      back.viewer.pagesRotation = front.viewer.pagesRotation;
      back.viewer.scrollMode = front.viewer.scrollMode;
      back.viewer.currentPageNumber = Math.min(front.viewer.currentPageNumber, back.viewer.pagesCount);
    }
    back.viewer.currentScaleValue = front.viewer.currentScaleValue || String(zoom);
    if (isShown) {
      // if page sizes differ, the place is known only once all sizes are
      if (!hasEvenPages(front)) await back.viewer.pagesPromise;
      place(back);
      await back.whenPainted(readSelection(front.container) !== null);
      if (isDestroyed) return true;
      // keep the place of a user who scrolled or zoomed in the meantime
      back.viewer.pagesRotation = front.viewer.pagesRotation;
      if (back.viewer.currentScaleValue !== front.viewer.currentScaleValue)
        back.viewer.currentScaleValue = front.viewer.currentScaleValue;
      place(back);
    }
    const hadFocus = front.container.contains(document.activeElement);
    const selection = readSelection(front.container);
    [front, back] = [back, front];
    patchNumber++;
    isShown = true;
    dress();
    if (hadFocus) front.container.focus({ preventScroll: true });
    if (selection) restoreSelection(front.container, selection);
    back.clear();
    if (pointed && performance.now() < pointed.until) flash(pointed.mark);
    notify();
    return true;
  };

  const work = async (): Promise<boolean> => {
    let isGood = true;
    while (next && !isDestroyed) {
      await whenDisplayed();
      if (isDestroyed) break;
      const bytes = next;
      next = null;
      isGood = await swap(bytes);
    }
    swapping = null;
    return isGood;
  };

  const flash = (mark: PdfMark) => {
    const page = front.findPage(mark.page);
    clearMarks(host, ['synctex']);
    if (page) drawMarks(page, [mark]);
  };

  const goTo = (number: number, box?: PdfBox) => {
    const page = front.findPage(number);
    if (!page) return;
    if (!box) {
      front.viewer.currentPageNumber = number;
      return;
    }
    const { left, top, width, height } = placeBox(page, box);
    const { container } = front;
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = container;
    const x = page.div.offsetLeft + left;
    const y = page.div.offsetTop + top;
    const isAbove = y < scrollTop + clearance;
    const isBelow = y + height > scrollTop + clientHeight - clearance;
    const isAside = x < scrollLeft || x + width > scrollLeft + clientWidth;
    container.scrollTo({
      top: isAbove || isBelow ? y - clientHeight * 0.35 : scrollTop,
      left: isAside ? x - clearance : scrollLeft,
      behavior: 'instant',
    });
  };

  return {
    show(bytes) {
      next = bytes;
      swapping ??= work();
      return swapping;
    },
    async patch(pages) {
      const number = ++patchNumber;
      if (!pages || !isShown) return clearPatches(host);
      // newer pages, or the whole document, may arrive first
      await paintPatches(front, pages, await worker, () => number === patchNumber && !isDestroyed);
    },
    mark(wanted) {
      marks = wanted;
      for (const board of boards)
        for (let number = 1; number <= board.viewer.pagesCount; number++) dressPage(board, number);
    },
    goTo,
    point({ page, rectangles, focus }) {
      front.layOutText();
      goTo(page, focus);
      pointed = { mark: { kind: 'synctex', page, boxes: rectangles }, until: performance.now() + markMs };
      flash(pointed.mark);
    },
    goToDestination: (destination) => void front.links.goToDestination(destination as string),
    getPage: () => front.viewer.currentPageNumber,
    setZoom(wanted) {
      front.viewer.currentScaleValue =
        typeof wanted === 'string' ? wanted : String(Math.min(Math.max(wanted, minScale), maxScale));
    },
    zoomBy(direction) {
      if (direction > 0 && front.viewer.currentScale < maxScale) front.viewer.increaseScale();
      if (direction < 0 && front.viewer.currentScale > minScale) front.viewer.decreaseScale();
    },
    rotate(direction) {
      front.viewer.pagesRotation = (front.viewer.pagesRotation + 360 + direction * 90) % 360;
    },
    present(isOn) {
      if (isOn === (beforePresenting !== null)) return;
      const { viewer } = front;
      const page = viewer.currentPageNumber;
      viewer.scrollMode = isOn ? scrollModes.single : scrollModes.all;
      const scale = beforePresenting ?? 'page-fit';
      beforePresenting = isOn ? viewer.currentScaleValue : null;
      viewer.currentScaleValue = scale;
      viewer.currentPageNumber = page;
    },
    scroll(step) {
      const { container } = front;
      const { scrollTop, clientHeight, scrollHeight } = container;
      const way = {
        'line-up': -linePixels,
        'line-down': linePixels,
        up: -0.9 * clientHeight,
        down: 0.9 * clientHeight,
        start: -scrollTop,
        end: scrollHeight,
      };
      container.scrollBy({ top: way[step], behavior: 'instant' });
    },
    focus: () => front.container.focus({ preventScroll: true }),
    destroy() {
      isDestroyed = true;
      next = null;
      endWaiting();
      observer.disconnect();
      for (const teardown of teardowns) teardown();
      for (const board of boards) {
        board.clear();
        board.container.remove();
      }
      worker.then(
        (opened) => opened.destroy(),
        () => undefined,
      );
    },
  };
}

function isDisplayed(element: HTMLElement): boolean {
  return element.getClientRects().length > 0;
}

function isFitted(scaleValue: string): scaleValue is FittedZoom {
  return ['auto', 'page-width', 'page-fit'].includes(scaleValue);
}

function hasEvenPages({ viewer, findPage }: PdfBoard): boolean {
  const first = findPage(1)?.viewport;
  for (let number = 2; number <= viewer.pagesCount; number++) {
    const page = findPage(number)?.viewport;
    if (page?.width !== first?.width || page?.height !== first?.height) return false;
  }
  return true;
}
