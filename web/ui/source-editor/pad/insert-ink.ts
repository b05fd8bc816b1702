/** Inserts a drawing's LaTeX into the text. Pure. */
import type { EditorState, TransactionSpec } from '@codemirror/state';
import { findCommandPackage } from '#latex/source/package-table.ts';
import { loadPackages } from '../edits/insertions.ts';
import { findFormulaSource } from '../formula/formula-source.ts';
import { findFormula } from '../lines/tokens.ts';

/**
 * Replaces the selection, as one undo step: within a formula as it is; elsewhere a formula gets delimiters,
 * those of a displayed one on a blank line. Packages that its commands need are loaded.
 * @param latex a formula without delimiters, or text
 */
export function insertInk(state: EditorState, latex: string, kind: 'formula' | 'text'): TransactionSpec[] {
  const { from, to } = state.selection.main;
  const formula = findFormula(state, from);
  const isInFormula = formula !== null && formula.from < from && from < formula.to;
  const { open, close } =
    kind === 'text' || isInFormula
      ? { open: '', close: '' }
      : formula
        ? { open: '$', close: '$' }
        : findFormulaSource(state, from).delimiters;
  // within a formula, text that is one formula needs no delimiters
  const bare = isInFormula ? latex.replace(/^\$([^$]*)\$$/, '$1') : latex;
  // a command must not merge with the letter after it
  const gap =
    /\\[A-Za-z]+$/.test(bare) && close === '' && /[A-Za-z]/.test(state.sliceDoc(to, to + 1)) ? ' ' : '';
  const insert = open + bare + close + gap;
  const commands = [...bare.matchAll(/\\([A-Za-z]+)/g)].map(([, name]) => findCommandPackage(name!));
  const packages = new Set(commands.filter((name) => name !== null));
  return [
    {
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      scrollIntoView: true,
      userEvent: 'input.format',
    },
    loadPackages(state, [...packages]),
  ];
}
