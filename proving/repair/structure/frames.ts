/**
 * Frames: what can be open while a body is read (groups, option lists, formulas, environments, `\left`), and predicates
 * that several visitors use. `structure-pass.ts` changes the stack of frames.
 */
import { displayEnvironments, type Mode } from '#latex/source/commands.ts';
import type { Columns } from './columns.ts';

export interface Frame {
  kind: 'group' | 'optional' | 'dollar' | 'double' | 'paren' | 'bracket' | 'environment' | 'left';
  /** Environment name, or the command whose argument a group is. */
  name: string;
  mode: Mode;
  /** Token that opened it. */
  index: number;
  /** True for a brace that has a partner when only braces are counted. */
  isMatched: boolean;
  isScript: boolean;
  /** Modes of the arguments still to come after this one. */
  rest: Mode[];
  /** End offset of a formula that the pass opened itself. */
  until: number;
  scripts: { up: boolean; down: boolean };
  wantsAligned: boolean;
  /** Text to insert after the closer: the `\]` of a formula that the pass opened around it. */
  after: string;
  /** The name for `\end` after `\begin` was rewritten; empty if both are removed. */
  renamed: string | null;
  hasItem: boolean;
  hasLabel: boolean;
  /** For tables: columns declared and cells found. */
  columns: Columns | null;
}

/** Commands whose argument must not contain a paragraph break. */
export const shortArgument = new Set(
  'textbf textit emph textrm textsf texttt underline textsc textup textsl mbox text'.split(' '),
);

/** True for a formula between delimiters: `$`, `$$`, `\(`, `\[`. */
export function isFormula(frame: Frame): boolean {
  return (
    frame.kind === 'dollar' || frame.kind === 'double' || frame.kind === 'paren' || frame.kind === 'bracket'
  );
}

/** True for a display formula, whether an environment or not. */
export function isDisplay(frame: Frame): boolean {
  return (
    frame.kind === 'double' ||
    frame.kind === 'bracket' ||
    (frame.kind === 'environment' && displayEnvironments.has(frame.name))
  );
}

/** Returns the LaTeX that closes the frame; empty if both its ends are removed. */
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
