/** A placeholder for the visual mode, which is loaded when it is first switched on. */
import { Compartment, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { retryImport } from '#web/lib/retry-import.ts';

export type EditorMode = 'source' | 'visual';

const place = new Compartment();
const off: Extension = [];
const wanted = new WeakMap<EditorView, EditorMode>();

export const visualMode: Extension = place.of(off);

export async function setMode(view: EditorView, mode: EditorMode): Promise<void> {
  wanted.set(view, mode);
  if (mode === 'source' && place.get(view.state) === off) return;
  const extension = mode === 'source' ? off : (await retryImport(() => import('./visual/visual.ts'))).visual;
  // switched back while it was loading, or closed
  if (wanted.get(view) !== mode || !view.dom.isConnected) return;
  const { head } = view.state.selection.main;
  const { from, to } = view.viewport;
  // the cursor stays in view if it was; otherwise the text being read stays in place
  const scroll =
    head >= from && head <= to ? EditorView.scrollIntoView(head, { y: 'nearest' }) : view.scrollSnapshot();
  view.dispatch({ effects: [place.reconfigure(extension), scroll] });
}
