/**
 * Shows one PDF after the other without a blank moment: the next one is laid out and painted on a second board behind
 * the first, at the same place and zoom, and takes its place when what is in sight is ready. Single pages that are known
 * before the whole document are painted over theirs until then.
 */
import type { PdfPlace } from '#shared/api/compile-session.ts';
import { createPdfWorker, openPdf } from '#web/lib/pdfjs.ts';
import type { EventBus } from '#web/lib/pdfjs-viewer.ts';
import { createPdfBoard, type PdfBoard } from './pdf-board.ts';
import { readSelection, restoreSelection } from './pdf-selection.ts';

export interface StageView {
  /** 1-based. */
  page: number;
  pageCount: number;
  /** Percent. */
  zoom: number;
  /** Events of the board in front: the search bar listens and speaks there. */
  bus: EventBus;
}

export interface PdfStage {
  /** The newest one wins; what is being painted is shown first. @returns false when the PDF cannot be shown */
  show(bytes: Uint8Array<ArrayBuffer>): Promise<boolean>;
  /** Pages that are newer than the PDF in front; null takes them off again. */
  patch(pages: { bytes: Uint8Array<ArrayBuffer>; firstPage: number; lastPage: number } | null): Promise<void>;
  /** Scrolls there and marks it for a moment. */
  point(place: PdfPlace): void;
  goTo(page: number): void;
  zoomBy(direction: 1 | -1): void;
  fitWidth(): void;
  focus(): void;
  destroy(): void;
}

interface StageOptions {
  host: HTMLElement;
  label: string;
  onView: (view: StageView) => void;
  /** A place that was double-clicked, in PDF points from the page's top left corner. */
  onPick: (point: { page: number; x: number; y: number }) => void;
}

/** How long a mark is seen, in ms; convert.css fades it out. */
const markMs = 1_600;
/** A patch of more pixels than this is not worth its memory. */
const maxPatchPixels = 30_000_000;

export function createPdfStage({ host, label, onView, onPick }: StageOptions): PdfStage {
  const worker = createPdfWorker();
  const boards = [createPdfBoard(host, worker), createPdfBoard(host, worker)] as [PdfBoard, PdfBoard];
  let front = boards[0];
  let back = boards[1];
  let isShown = false;
  let isDestroyed = false;
  let next: Uint8Array<ArrayBuffer> | null = null;
  let swapping: Promise<boolean> | null = null;
  let patchNumber = 0;
  /** What is marked, for the board that comes to the front meanwhile. */
  let pointed: { place: PdfPlace; until: number } | null = null;

  const tell = () => {
    const { currentPageNumber: page, pagesCount: pageCount, currentScale } = front.viewer;
    onView({ page, pageCount, zoom: Math.round(currentScale * 100), bus: front.bus });
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

  const handlePick = (event: MouseEvent) => {
    const div = (event.target as Element).closest<HTMLElement>('.page');
    const number = Number(div?.dataset.pageNumber);
    const page = div && front.findPage(number);
    if (!page) return;
    const box = div.getBoundingClientRect();
    const { scale } = page.viewport;
    onPick({
      page: number,
      x: (event.clientX - box.left - div.clientLeft) / scale,
      y: (event.clientY - box.top - div.clientTop) / scale,
    });
  };
  for (const board of boards) {
    for (const name of ['pagechanging', 'scalechanging'])
      board.bus.on(name, () => {
        if (board === front && isShown) tell();
      });
    board.container.addEventListener('dblclick', handlePick);
  }

  // pages fitted to the width follow it
  const observer = new ResizeObserver(() => {
    for (const { viewer } of boards)
      if (viewer.pagesCount > 0 && host.clientWidth > 0 && viewer.currentScaleValue === 'page-width')
        viewer.currentScaleValue = 'page-width';
  });
  observer.observe(host);

  const place = (board: PdfBoard) => {
    const { scrollTop: top, scrollLeft: left } = front.container;
    if (board.container.scrollTop !== top || board.container.scrollLeft !== left)
      board.container.scrollTo({ top, left, behavior: 'instant' });
  };

  const swap = async (bytes: Uint8Array<ArrayBuffer>): Promise<boolean> => {
    try {
      await back.load(bytes);
    } catch {
      return isDestroyed;
    }
    if (isDestroyed) return true;
    back.viewer.currentScaleValue = front.viewer.currentScaleValue || 'page-width';
    if (isShown) {
      // where pages differ in size, the place is known only once all have theirs
      if (!hasEvenPages(front)) await back.viewer.pagesPromise;
      place(back);
      await back.whenPainted(readSelection(front.container) !== null);
      if (isDestroyed) return true;
      // who scrolled or zoomed meanwhile stays where they are
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
    if (pointed && performance.now() < pointed.until) point(pointed.place);
    tell();
    return true;
  };

  const work = async (): Promise<boolean> => {
    let isGood = true;
    while (next && !isDestroyed) {
      const bytes = next;
      next = null;
      isGood = await swap(bytes);
    }
    swapping = null;
    return isGood;
  };

  const point = ({ page: number, rectangles, focus }: PdfPlace) => {
    const page = front.findPage(number);
    if (!page) return;
    const { scale } = page.viewport;
    const { container } = front;
    const top = page.div.offsetTop + focus.y * scale;
    const bottom = top + focus.height * scale;
    const { scrollTop, clientHeight } = container;
    if (top < scrollTop + 24 || bottom > scrollTop + clientHeight - 24)
      container.scrollTo({ top: top - clientHeight * 0.35, behavior: 'instant' });
    for (const old of host.querySelectorAll('.pdf-mark')) old.remove();
    for (const { x, y, width, height } of rectangles) {
      const mark = document.createElement('div');
      mark.className = 'pdf-mark';
      mark.style.left = `${x * scale - 2}px`;
      mark.style.top = `${y * scale - 2}px`;
      mark.style.width = `${width * scale + 4}px`;
      mark.style.height = `${height * scale + 4}px`;
      mark.addEventListener('animationend', () => mark.remove());
      page.div.append(mark);
    }
  };

  const clearPatches = () => {
    patchNumber++;
    for (const canvas of host.querySelectorAll('.pdf-patch')) canvas.remove();
  };

  return {
    show(bytes) {
      next = bytes;
      swapping ??= work();
      return swapping;
    },
    async patch(pages) {
      if (!pages || !isShown) return clearPatches();
      const number = ++patchNumber;
      // pdf.js takes the bytes away from whoever gives them
      const task = openPdf(pages.bytes.slice(), worker);
      try {
        const loaded = await task.promise;
        const wanted = front
          .listPagesInSight()
          .filter((one) => one >= pages.firstPage && one <= pages.lastPage && one <= loaded.numPages);
        for (const one of wanted) {
          const view = front.findPage(one);
          if (!view) continue;
          const page = await loaded.getPage(one);
          const ratio = devicePixelRatio;
          const { scale, rotation, width, height } = view.viewport;
          const viewport = page.getViewport({ scale: scale * ratio, rotation });
          const isSameSize =
            Math.abs(viewport.width / ratio - width) < 1 && Math.abs(viewport.height / ratio - height) < 1;
          if (!isSameSize || viewport.width * viewport.height > maxPatchPixels) continue;
          const canvas = document.createElement('canvas');
          canvas.className = 'pdf-patch';
          canvas.width = Math.round(viewport.width);
          canvas.height = Math.round(viewport.height);
          await page.render({ canvas, viewport }).promise;
          // newer pages, or the whole document, came first
          if (number !== patchNumber || isDestroyed) return;
          for (const old of view.div.querySelectorAll('.pdf-patch')) old.remove();
          view.div.querySelector('.canvasWrapper')?.after(canvas);
        }
      } catch {
        // the whole document follows
      } finally {
        void task.destroy();
      }
    },
    point(place) {
      pointed = { place, until: performance.now() + markMs };
      point(place);
    },
    goTo(page) {
      if (page >= 1 && page <= front.viewer.pagesCount) front.viewer.currentPageNumber = page;
    },
    zoomBy(direction) {
      if (direction > 0) front.viewer.increaseScale();
      else front.viewer.decreaseScale();
    },
    fitWidth() {
      front.viewer.currentScaleValue = 'page-width';
    },
    focus: () => front.container.focus(),
    destroy() {
      isDestroyed = true;
      next = null;
      observer.disconnect();
      for (const board of boards) {
        board.clear();
        board.container.remove();
      }
      worker.destroy();
    },
  };
}

function hasEvenPages({ viewer, findPage }: PdfBoard): boolean {
  const first = findPage(1)?.viewport;
  for (let number = 2; number <= viewer.pagesCount; number++) {
    const page = findPage(number)?.viewport;
    if (page?.width !== first?.width || page?.height !== first?.height) return false;
  }
  return true;
}
