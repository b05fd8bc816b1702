/** The formula that the visual editor is opened for, and the edit that inserts its new LaTeX. Pure. */
import type { EditorState, TransactionSpec } from '@codemirror/state';
import { displayRows } from '#latex/source/commands.ts';
import { findFormula } from '../lines/tokens.ts';

export interface FormulaSource {
  /** The stretch to be replaced: what is between the delimiters; for a new formula, the selection. */
  from: number;
  to: number;
  /** As the author wrote it. */
  written: string;
  /** Added around it for the visual editor, and removed again: rows need an environment. */
  shell: { open: string; close: string };
  /** Added around a new formula in the text. */
  delimiters: { open: string; close: string };
  isNew: boolean;
}

const none = { open: '', close: '' };
/** In the visual editor, environments with rows are shown as their inner forms. */
const kin = { one: '', aligned: 'aligned', gathered: 'gathered', array: 'aligned' } as const;
const environment = /^\\begin\s*\{([^{}]*)\}(\s*(?:\{[^{}]*\})?)([\s\S]*)\\end\s*\{[^{}]*\}$/;

/** The formula at an offset; without one there, a new one in place of the selection. */
export function findFormulaSource(state: EditorState, at: number): FormulaSource {
  const formula = findFormula(state, at);
  if (!formula) {
    const { from, to } = state.selection.main;
    const isAlone = from === to && state.doc.lineAt(from).text.trim() === '';
    return {
      from,
      to,
      written: '',
      shell: none,
      delimiters: isAlone ? { open: '\\[\n  ', close: '\n\\]' } : { open: '$', close: '$' },
      isNew: true,
    };
  }
  const { from, to } = formula;
  const source = state.sliceDoc(from, to);
  const found = environment.exec(source);
  if (!found) {
    const width = source.startsWith('$') && !source.startsWith('$$') ? 1 : 2;
    return place(from + width, to - width, source.slice(width, -width), none);
  }
  const [, name = '', argument = '', body = ''] = found;
  // `alignat` has its number of columns there; a group that begins a formula is part of it
  const isArgument = /^(?:x?alignat|IEEEeqnarray)/.test(name);
  const inner = isArgument ? body : argument + body;
  const end = from + source.lastIndexOf('\\end');
  const rows = kin[displayRows.get(name.trim()) ?? 'one'];
  const shell = rows ? { open: `\\begin{${rows}}`, close: `\\end{${rows}}` } : none;
  return place(end - inner.length, end, inner, shell);
}

/** Without the surrounding space, which stays. */
function place(from: number, to: number, text: string, shell: FormulaSource['shell']): FormulaSource {
  const before = text.length - text.trimStart().length;
  const written = text.trim();
  const start = from + (written === '' ? 0 : before);
  return {
    from: start,
    to: written === '' ? to : start + written.length,
    written,
    shell,
    delimiters: none,
    isNew: false,
  };
}

/** What the visual editor shows. */
export const dress = ({ shell }: FormulaSource, latex: string) => shell.open + latex + shell.close;

/** Its LaTeX without the added environment; one that lost it is a single row. */
export function undress({ shell }: FormulaSource, latex: string): string {
  const text = latex.trim();
  if (!shell.open || !text.startsWith(shell.open) || !text.endsWith(shell.close)) return text;
  return text.slice(shell.open.length, -shell.close.length).trim();
}

/** Inserts the new LaTeX as one undo step; null if nothing has changed or a new formula is empty. */
export function replaceFormula(source: FormulaSource, latex: string): TransactionSpec | null {
  const { from, to, written, delimiters, isNew } = source;
  if (latex === written || (isNew && latex.trim() === '')) return null;
  const insert = delimiters.open + latex + delimiters.close;
  return {
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    scrollIntoView: true,
    userEvent: 'input.format',
  };
}
