/** Fixes that can be applied: an error's message and place, with the document's source, to edits that make it go away. */
import type { LogFix } from '#shared/api/errors.ts';
import type { SourceText } from '../source/source-text.ts';
import { fixRules } from './fixes/fix-rules.ts';
import type { Clue } from './fixes/proposal.ts';

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
