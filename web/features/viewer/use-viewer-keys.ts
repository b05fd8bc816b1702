/** The viewer's shortcuts, as listed in viewer-shortcuts.ts. They work wherever nothing else handles the keys. */
import { type RefObject, useEffect, useRef } from 'react';
import type { PdfControls, ScrollStep, StageView } from '#web/ui/pdf-viewer/pdf-stage.ts';
import type { ViewerActions } from './viewer-actions.ts';

interface ViewerKeys extends ViewerActions {
  controls: RefObject<PdfControls | null>;
  view: StageView | null;
  isPresenting: boolean;
  toggleSide: () => void;
}

const scrollKeys: Record<string, ScrollStep> = {
  ArrowUp: 'line-up',
  ArrowDown: 'line-down',
  PageUp: 'up',
  PageDown: 'down',
  Home: 'start',
  End: 'end',
};
/** While presenting, each of these turns the page. */
const turnKeys: Record<string, 1 | -1> = {
  ArrowUp: -1,
  ArrowLeft: -1,
  PageUp: -1,
  Backspace: -1,
  ArrowDown: 1,
  ArrowRight: 1,
  PageDown: 1,
  ' ': 1,
  Enter: 1,
};

export function useViewerKeys(keys: ViewerKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !latest.current.view) return;
      const target = event.target instanceof Element ? event.target : document.body;
      if (target.closest('[role="dialog"], [role="menu"]')) return;
      const isDone =
        event.ctrlKey || event.metaKey
          ? pressWithControl(event, latest.current)
          : !event.altKey &&
            !target.closest('input, textarea, select') &&
            press(event, target, latest.current);
      if (isDone) event.preventDefault();
    };
    addEventListener('keydown', handleKey);
    return () => removeEventListener('keydown', handleKey);
  }, []);
}

function pressWithControl({ key, shiftKey, altKey }: KeyboardEvent, keys: ViewerKeys): boolean {
  if (shiftKey || altKey) return false;
  const act = { f: keys.find, p: keys.print, s: keys.download }[key.toLowerCase()];
  act?.();
  return act !== undefined;
}

function press(event: KeyboardEvent, target: Element, keys: ViewerKeys): boolean {
  const { key } = event;
  const { view, isPresenting } = keys;
  const controls = keys.controls.current;
  if (!view || !controls) return false;
  if (isPresenting) {
    const turn = turnKeys[key];
    if (turn) controls.goTo(view.page + turn);
    if (key === 'Home') controls.goTo(1);
    if (key === 'End') controls.goTo(view.pageCount);
    if (turn || key === 'Home' || key === 'End') return true;
  }
  const step = scrollKeys[key];
  if (step) {
    // leave areas that scroll by themselves alone
    if (target.closest('.pdf-container, [aria-label="Pages"]') || event.shiftKey) return false;
    controls.scroll(step);
    return true;
  }
  switch (key) {
    case 'ArrowLeft':
      controls.goTo(view.page - 1);
      return true;
    case 'ArrowRight':
      controls.goTo(view.page + 1);
      return true;
    case '+':
    case '=':
      controls.zoomBy(1);
      return true;
    case '-':
      controls.zoomBy(-1);
      return true;
    case '0':
      controls.setZoom('page-width');
      return true;
    case 'r':
      keys.rotate(1);
      return true;
    case 'R':
      keys.rotate(-1);
      return true;
    case 't':
      keys.toggleSide();
      return true;
    case 'f':
      keys.present?.();
      return true;
    case '?':
      keys.help();
      return true;
    default:
      return false;
  }
}
