/** Scrolling a line to the middle or the top, without moving the page around the editor. */
import { EditorView, ViewPlugin } from '@codemirror/view';

/** CodeMirror would centre the line in the window too, whenever the text is too short to centre it in the editor. */
const scrollEditorOnly = EditorView.scrollHandler.of((view, { head }, { y, yMargin }) => {
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

/** The cursor's line stays in view when the editor becomes lower: a card opens, a phone's keyboard appears. */
const keepCursorInSight = ViewPlugin.define((view) => {
  let height = view.scrollDOM.clientHeight;
  const observer = new ResizeObserver(() => {
    const scroller = view.scrollDOM;
    const [before, now] = [height, scroller.clientHeight];
    height = now;
    const line = view.lineBlockAt(view.state.selection.main.head);
    const top = line.top + view.documentPadding.top - scroller.scrollTop;
    const wasInSight = top >= 0 && top + line.height <= before;
    if (wasInSight && top + line.height > now)
      scroller.scrollTop += top - Math.max((now - line.height) / 2, 0);
  });
  observer.observe(view.scrollDOM);
  return { destroy: () => observer.disconnect() };
});

export const calmScroll = [scrollEditorOnly, keepCursorInSight];
