/** Restores a selection in the PDF's text after a repaint: by its offset, if the text there is the same. */

interface End {
  page: number;
  /** Characters of the page's text before the selection. */
  offset: number;
}

export interface SavedSelection {
  start: End;
  end: End;
  text: string;
}

/** Null if nothing in the container is selected. */
export function readSelection(container: HTMLElement): SavedSelection | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  if (!container.contains(range.commonAncestorContainer)) return null;
  const start = describeEnd(range.startContainer, range.startOffset);
  const end = describeEnd(range.endContainer, range.endOffset);
  return start && end && { start, end, text: range.toString() };
}

export function restoreSelection(container: HTMLElement, saved: SavedSelection): void {
  const start = findEnd(container, saved.start);
  const end = findEnd(container, saved.end);
  if (!start || !end) return;
  const range = document.createRange();
  range.setStart(start.node, start.offset);
  range.setEnd(end.node, end.offset);
  if (range.toString() !== saved.text) return;
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}

function describeEnd(node: Node, offset: number): End | null {
  const element = node instanceof Element ? node : node.parentElement;
  const page = element?.closest<HTMLElement>('.page');
  const layer = page?.querySelector('.textLayer');
  if (!page || !layer?.contains(node)) return null;
  const before = document.createRange();
  before.setStart(layer, 0);
  before.setEnd(node, offset);
  return { page: Number(page.dataset.pageNumber), offset: before.toString().length };
}

function findEnd(container: HTMLElement, { page, offset }: End): { node: Text; offset: number } | null {
  const layer = container.querySelector(`.page[data-page-number="${page}"] .textLayer`);
  if (!layer) return null;
  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT);
  let left = offset;
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    if (left <= node.length) return { node, offset: left };
    left -= node.length;
  }
  return null;
}
