/** A document's content as a tree, independent of LaTeX and of export formats; exports are written from it. */
import type { Style } from '../source/commands.ts';

export type { Style };

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'styled'; style: Style; content: Inline[] }
  /** LaTeX of a formula without its delimiters, macros expanded; may still name labels. */
  | { kind: 'formula'; tex: string; isDisplay: boolean }
  | { kind: 'link'; address: string; content: Inline[] }
  | { kind: 'reference'; label: string; form: ReferenceForm }
  | { kind: 'footnote'; content: Inline[] }
  | { kind: 'line-break' }
  /** `width` is a fraction of the text's width, 0 to 1; null if not given. */
  | { kind: 'image'; name: string; width: number | null }
  /** The target of a reference. */
  | { kind: 'anchor'; id: string };

/** `number`: 3, `equation`: (3), `named`: Theorem 3, `citation`: [3]. */
export type ReferenceForm = 'number' | 'equation' | 'named' | 'citation';

export interface ListItem {
  /** Its label as printed: `(a)`, `1.`, a word; null for a bullet. */
  label: Inline[] | null;
  blocks: Block[];
}

/** Numbering of an ordered list: `(a)` is letters between `(` and `)`. */
export interface Counting {
  format: 'decimal' | 'lower-letter' | 'upper-letter' | 'lower-roman' | 'upper-roman';
  before: string;
  after: string;
}

export interface Cell {
  blocks: Block[];
  columns: number;
  align: 'left' | 'center' | 'right';
}

export type Block =
  | { kind: 'heading'; level: 1 | 2 | 3 | 4; number: string | null; content: Inline[]; id: string }
  | { kind: 'paragraph'; content: Inline[]; align: 'left' | 'center' | 'right' }
  | { kind: 'formula'; tex: string; number: string | null; ids: string[] }
  | { kind: 'list'; items: ListItem[]; counting: Counting | null; isDescription: boolean }
  | { kind: 'table'; rows: Cell[][]; headRows: number; isRuled: boolean }
  | { kind: 'code'; text: string }
  /** LaTeX without a counterpart in other formats, e.g. a drawing. */
  | { kind: 'source'; tex: string; what: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'statement'; head: Inline[]; blocks: Block[]; isItalic: boolean; id: string }
  | { kind: 'float'; blocks: Block[]; id: string }
  | { kind: 'caption'; name: string; number: string | null; content: Inline[] }
  /** Lines of an algorithm, each indented by its depth. */
  | { kind: 'lines'; lines: { depth: number; content: Inline[] }[] }
  | { kind: 'rule' };

export interface Label {
  /** What a reference prints: `2.1`. */
  number: string;
  /** Its printed name: `Theorem`. */
  name: string;
  /** The anchor's id. */
  id: string;
}

export interface ReadDocument {
  title: Inline[];
  author: Inline[];
  date: Inline[];
  /** BCP 47, of the document's main language. */
  language: string;
  blocks: Block[];
  labels: ReadonlyMap<string, Label>;
}

/** The text of inlines, without styles; formulas as LaTeX. */
export function plainText(content: readonly Inline[]): string {
  return content
    .map((one) => {
      if (one.kind === 'text') return one.text;
      if (one.kind === 'formula') return one.tex;
      if (one.kind === 'line-break') return ' ';
      return 'content' in one && one.kind !== 'footnote' ? plainText(one.content) : '';
    })
    .join('');
}
