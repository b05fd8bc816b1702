/** Asks for the pad on which a formula or a line is drawn. */
import { StateEffect } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { inkReading } from './surroundings.ts';

export const padAsked = StateEffect.define<null>();

/** False where nothing can be drawn. */
export function askPad(view: EditorView): boolean {
  if (view.state.readOnly || !view.state.facet(inkReading)) return false;
  view.dispatch({ effects: padAsked.of(null) });
  return true;
}
