/** Scrolling a line to the middle or the top, without moving the page around the editor. */
import { EditorView } from '@codemirror/view';

/** CodeMirror would centre the line in the window too, whenever the text is too short to centre it in the editor. */
export const calmScroll = EditorView.scrollHandler.of((view, { head }, { y, yMargin }) => {
  if (y === 'nearest') return false;
  const scroller = view.scrollDOM;
  const line = view.lineBlockAt(head);
  const top = line.top + view.documentPadding.top;
  const spare = scroller.clientHeight - line.height;
  scroller.scrollTop = top - { start: yMargin, center: Math.max(spare / 2, 0), end: spare - yMargin }[y];
  const inWindow = scroller.getBoundingClientRect().top + top - scroller.scrollTop;
  // a line outside the window still needs CodeMirror's own scrolling
  return inWindow >= 0 && inWindow + line.height <= window.innerHeight;
});
