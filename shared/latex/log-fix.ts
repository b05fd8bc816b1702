/** Fixes that can be applied: an error's message and place, with the document's source, to edits that make it go away. */
import type { LogFix } from '#shared/api/errors.ts';
import { fixRules } from './log-fixes/fix-rules.ts';
import { emptyLineTitle } from './log-fixes/maths.ts';
import { SourceText } from './source-text.ts';

export { emptyLineTitle };

/** One error as TeX told it, before it was put where the fault is. */
export interface Clue {
  message: string;
  /** The line TeX names, 1-based. */
  line: number | null;
  /** The part of that line that TeX had read. */
  before: string;
  /** The command TeX stopped at, where it shows one inside another's definition. */
  breakPoint: string;
  runaway: string;
  /** The line the message was put at in the end. */
  shownLine: number | null;
}

export interface TextEdit {
  /** Offsets into the source. */
  from: number;
  to: number;
  insert: string;
}

export interface Proposal {
  title: string;
  edits: TextEdit[];
}

/** The edit that makes an error go away, where a rule is sure of one; null otherwise. */
export function proposeFix(clue: Clue, source: SourceText): LogFix | null {
  for (const { pattern, propose } of fixRules) {
    const match = pattern.exec(clue.message);
    const proposal = match && propose(match, clue, source);
    if (!proposal || proposal.edits.length === 0) continue;
    const edits = proposal.edits.toSorted((a, b) => a.from - b.from);
    return {
      title: proposal.title,
      edits: edits.map(({ from, to, insert }) => ({
        from: source.positionOf(from),
        to: source.positionOf(to),
        insert,
      })),
    };
  }
  return null;
}

/** The source with a fix applied. Edits that no longer lie in the text are left out. */
export function applyFix(latex: string, fix: LogFix): string {
  const source = new SourceText(latex);
  let text = latex;
  for (const { from, to, insert } of fix.edits.toReversed()) {
    const start = source.offsetOf(from);
    const end = source.offsetOf(to);
    if (start === null || end === null || end < start) continue;
    text = text.slice(0, start) + insert + text.slice(end);
  }
  return text;
}
