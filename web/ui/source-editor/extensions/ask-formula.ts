/** Opens the visual editor of formulas, from anywhere that has the source's view. */
import { StateEffect } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { findFormula } from '../lines/tokens.ts';

/** Carries the offset of the formula; if there is none, a new one begins. */
export const openFormula = StateEffect.define<number>();

/** @param at an offset in the formula; by default, the cursor */
export function askFormula(view: EditorView, at = view.state.selection.main.head): boolean {
  if (view.state.readOnly) return false;
  view.dispatch({ effects: openFormula.of(at) });
  return true;
}

/** The offset of a formula that this stretch touches, or null. */
export function findFormulaIn(view: EditorView, from: number, to: number): number | null {
  const formula = findFormula(view.state, from) ?? findFormula(view.state, to);
  return formula?.from ?? null;
}

/** The inside of a line's only formula, or null; 1-based. */
export function findOnlyFormula({ state }: EditorView, number: number): number | null {
  const line = state.doc.line(Math.min(number, state.doc.lines));
  const insides = new Map<number, number>();
  for (const { index, 0: opener } of line.text.matchAll(/\\[([]|\$\$?/g)) {
    const inside = line.from + index + opener.length;
    const formula = findFormula(state, inside);
    if (formula && formula.from === line.from + index) insides.set(formula.from, inside);
  }
  const [only] = insides.values();
  return only !== undefined && insides.size === 1 ? only : null;
}
