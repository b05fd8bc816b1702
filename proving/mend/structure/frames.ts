/**
 * What can be open while a body is read: groups, option lists, formulas, environments and `\left`. The words for one of
 * them and the questions that more than one visitor asks of it; what changes the stack of them is `structure-pass.ts`.
 */
import { displayEnvironments, type Mode } from '#latex/source/commands.ts';
import type { Columns } from './columns.ts';

export interface Frame {
  kind: 'group' | 'optional' | 'dollar' | 'double' | 'paren' | 'bracket' | 'environment' | 'left';
  /** Environment name, or the command a group is the argument of. */
  name: string;
  mode: Mode;
  /** Token that opened it. */
  index: number;
  /** A brace that has its partner when only braces are counted. */
  isMatched: boolean;
  isScript: boolean;
  /** Modes of the arguments still to come after this one. */
  rest: Mode[];
  /** For formulas we opened ourselves: where they end. */
  until: number;
  scripts: { up: boolean; down: boolean };
  wantsAligned: boolean;
  /** Text to put after the closer: the `\]` of a formula we opened around it. */
  after: string;
  /** The name `\end` must have, where `\begin` was rewritten; empty: both go. */
  renamed: string | null;
  hasItem: boolean;
  hasLabel: boolean;
  /** Of a table: what its column specification says, against what its rows hold. */
  columns: Columns | null;
}

/** Commands whose argument TeX does not let run over a paragraph's end. */
export const shortArgument = new Set(
  'textbf textit emph textrm textsf texttt underline textsc textup textsl mbox text'.split(' '),
);

/** A formula between delimiters: `$`, `$$`, `\(`, `\[`. */
export function isFormula(frame: Frame): boolean {
  return (
    frame.kind === 'dollar' || frame.kind === 'double' || frame.kind === 'paren' || frame.kind === 'bracket'
  );
}

/** A formula on lines of its own, an environment or not. */
export function isDisplay(frame: Frame): boolean {
  return (
    frame.kind === 'double' ||
    frame.kind === 'bracket' ||
    (frame.kind === 'environment' && displayEnvironments.has(frame.name))
  );
}

/** What ends the frame in LaTeX; empty where both its ends go. */
export function closerOf(frame: Frame): string {
  switch (frame.kind) {
    case 'group':
      return '}';
    case 'dollar':
      return '$';
    case 'double':
      return '$$';
    case 'paren':
      return '\\)';
    case 'bracket':
      return '\\]';
    case 'left':
      return '\\right.';
    case 'optional':
      return ']';
    case 'environment':
      return frame.renamed === '' ? '' : `\\end{${frame.renamed ?? frame.name}}`;
  }
}
