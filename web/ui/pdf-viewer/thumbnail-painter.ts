/** Paints thumbnails one after the other while they are near the viewport, and releases them afterwards. */
import type { PDFDocumentProxy } from '#web/lib/pdf/pdfjs.ts';

/** How far from the viewport a page is painted and kept. */
const nearby = '600px 0px';
/** In CSS pixels. */
const width = 144;

export interface ThumbnailPainter {
  /** Paints the page into the element whenever it is near the viewport. @returns the teardown */
  watch(place: HTMLElement, page: number): () => void;
  destroy(): void;
}

/** @param rotation degrees clockwise, added to a page's own */
export function createThumbnailPainter(
  pdf: PDFDocumentProxy,
  root: HTMLElement,
  rotation: number,
): ThumbnailPainter {
  const pages = new Map<Element, number>();
  const wanted = new Set<Element>();
  let isPainting = false;
  let isDestroyed = false;

  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) wanted.add(target);
        else {
          wanted.delete(target);
          release(target);
        }
      }
      void paintAll();
    },
    { root, rootMargin: nearby },
  );

  const paintAll = async () => {
    if (isPainting) return;
    isPainting = true;
    for (const place of wanted) {
      if (place.childElementCount > 0) continue;
      try {
        const canvas = await paint(place);
        if (isDestroyed) break;
        // it left the viewport in the meantime
        if (wanted.has(place)) place.replaceChildren(canvas);
      } catch {
        // the PDF was closed, or this page cannot be painted: it stays white
        wanted.delete(place);
      }
    }
    isPainting = false;
  };

  const paint = async (place: Element): Promise<HTMLCanvasElement> => {
    const page = await pdf.getPage(pages.get(place)!);
    const turned = (page.rotate + rotation) % 360;
    const whole = page.getViewport({ scale: 1, rotation: turned });
    (place as HTMLElement).style.aspectRatio = `${whole.width} / ${whole.height}`;
    const scale = (width * Math.min(devicePixelRatio, 2)) / whole.width;
    const viewport = page.getViewport({ scale, rotation: turned });
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(viewport.width);
    canvas.height = Math.ceil(viewport.height);
    await page.render({ canvas, viewport }).promise;
    return canvas;
  };

  return {
    watch(place, page) {
      pages.set(place, page);
      observer.observe(place);
      return () => {
        observer.unobserve(place);
        pages.delete(place);
        wanted.delete(place);
        release(place);
      };
    },
    destroy() {
      isDestroyed = true;
      observer.disconnect();
      for (const place of pages.keys()) release(place);
    },
  };
}

function release(place: Element): void {
  for (const canvas of place.querySelectorAll('canvas')) {
    // browsers keep a canvas' memory for a while; an empty one has none
    canvas.width = 0;
    canvas.height = 0;
    canvas.remove();
  }
}
