/** The place of the visual mode, which is loaded when it is first switched on. */
import { Compartment, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { retryImport } from '#web/lib/retry-import.ts';

export type EditorMode = 'source' | 'visual';

const place = new Compartment();
const wanted = new WeakMap<EditorView, EditorMode>();

export const visualMode: Extension = place.of([]);

export async function setMode(view: EditorView, mode: EditorMode): Promise<void> {
  wanted.set(view, mode);
  const isOn = () => place.get(view.state) !== undefined && (place.get(view.state) as unknown[]).length !== 0;
  if (mode === 'source' && !isOn()) return;
  const extension = mode === 'visual' ? (await retryImport(() => import('../visual/visual.ts'))).visual : [];
  // switched back while it was loaded, or closed
  if (wanted.get(view) !== mode || !view.dom.isConnected) return;
  const { head } = view.state.selection.main;
  view.dispatch({
    effects: [place.reconfigure(extension), EditorView.scrollIntoView(head, { y: 'nearest' })],
  });
}
