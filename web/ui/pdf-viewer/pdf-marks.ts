/** Boxes over a page of the PDF, positioned as shares of the page, so that they scale with the zoom. */
import type { PageView } from './pdf-board.ts';
import type { PdfBox, PdfMark, PdfMarkKind } from './pdf-places.ts';

/** How far a mark extends beyond its box on each side, in PDF points. */
const margin = 1.5;

/** Removes the marks of these kinds from all pages below the element. */
export function clearMarks(host: HTMLElement, kinds: readonly PdfMarkKind[]): void {
  for (const kind of kinds) for (const mark of host.querySelectorAll(`.pdf-mark.is-${kind}`)) mark.remove();
}

export function drawMarks(page: PageView, marks: readonly PdfMark[]): void {
  for (const { kind, boxes } of marks)
    for (const box of boxes) {
      const mark = document.createElement('div');
      mark.className = `pdf-mark is-${kind}`;
      const { left, top, width, height } = placeBox(page, box);
      const { viewport } = page;
      mark.style.left = `${(100 * left) / viewport.width}%`;
      mark.style.top = `${(100 * top) / viewport.height}%`;
      mark.style.width = `${(100 * width) / viewport.width}%`;
      mark.style.height = `${(100 * height) / viewport.height}%`;
      if (kind === 'synctex') mark.addEventListener('animationend', () => mark.remove());
      page.div.append(mark);
    }
}

/** The position of a box on its page at the current rotation, in CSS pixels from the page's top left corner. */
export function placeBox({ viewport }: PageView, { x, y, width, height }: PdfBox) {
  const [x1, y1] = toViewport(viewport, x - margin, y - margin);
  const [x2, y2] = toViewport(viewport, x + width + margin, y + height + margin);
  return {
    left: Math.min(x1, x2),
    top: Math.min(y1, y2),
    width: Math.abs(x2 - x1),
    height: Math.abs(y2 - y1),
  };
}

/** The place under a point of the page element, in PDF points from the page's own top left corner. */
export function findPlace({ viewport }: PageView, left: number, top: number): { x: number; y: number } {
  const [x, y] = viewport.convertToPdfPoint(left, top) as [number, number];
  const [minX, , , maxY] = viewport.viewBox as [number, number, number, number];
  return { x: x - minX, y: maxY - y };
}

// PDF coordinates start at the bottom of the page's box
function toViewport(viewport: PageView['viewport'], x: number, y: number): [number, number] {
  const [minX, , , maxY] = viewport.viewBox as [number, number, number, number];
  return viewport.convertToViewportPoint(minX + x, maxY - y) as [number, number];
}
