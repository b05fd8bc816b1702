/** Opens the pad on which a formula or a line is drawn. */
import { StateEffect } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { inkReading } from './surroundings.ts';

export const openPad = StateEffect.define<null>();

/** False if nothing can be drawn here. */
export function askPad(view: EditorView): boolean {
  if (view.state.readOnly || !view.state.facet(inkReading)) return false;
  view.dispatch({ effects: openPad.of(null) });
  return true;
}
