/** Ctrl + wheel, and pinching: zooms at the pointer. */
import { pdfjs } from '#web/lib/pdf/pdfjs.ts';
import type { PdfBoard } from './pdf-board.ts';

/** Wheel distance that doubles or halves the zoom, in pixels: three notches of a common mouse. */
const doublingPixels = 300;
/** A page is repainted once the zoom has not changed for this long, in ms; until then its image is stretched. */
const drawingDelay = 300;
export const minScale = 0.25;
export const maxScale = 8;

/** @returns the teardown */
export function listenToZoomGestures({ container, viewer }: PdfBoard): () => void {
  const ending = new AbortController();
  /** The requested zoom that is still too small for a step: scales change by hundredths. */
  let carried = 1;

  const scaleBy = (factor: number, clientX: number, clientY: number) => {
    const scale = viewer.currentScale;
    carried *= factor;
    const wanted = Math.min(Math.max(Math.round(scale * carried * 100) / 100, minScale), maxScale);
    if (wanted === scale) {
      if (wanted === minScale || wanted === maxScale) carried = 1;
      return;
    }
    const { left, top } = container.getBoundingClientRect();
    viewer.updateScale({
      scaleFactor: wanted / scale,
      drawingDelay,
      origin: [clientX - left, clientY - top],
    });
    carried *= scale / wanted;
  };

  container.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const unit = [1, 16, container.clientHeight][event.deltaMode] ?? 1;
      scaleBy(2 ** (-(event.deltaY * unit) / doublingPixels), event.clientX, event.clientY);
    },
    { passive: false, signal: ending.signal },
  );

  const touch = new pdfjs.TouchManager({
    container,
    onPinching: ([x, y]: [number, number], before: number, now: number, dx: number, dy: number) => {
      scaleBy(now / before, x, y);
      container.scrollBy({ left: -dx, top: -dy, behavior: 'instant' });
    },
    onPanning: (dx: number, dy: number) => container.scrollBy({ left: -dx, top: -dy, behavior: 'instant' }),
    signal: ending.signal,
  });
  return () => {
    touch.destroy();
    ending.abort();
  };
}
