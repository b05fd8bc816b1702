/** Special characters that were meant literally. */
import type { Fixer, Proposal } from '../rule.ts';
import { cut, insertAt } from './edits.ts';

/** A `%` that comments out the rest of its line, including a brace or dollar the line needs. */
export const escapePercent: Fixer = ({ line, shownLine }, source) => {
  const near = new Set([shownLine, line]);
  const proposals: Proposal[] = [];
  for (const { kind, start } of source.annotated.tokens) {
    if (kind !== 'comment') continue;
    const at = source.positionOf(start);
    const isNear =
      line === null || [...near].some((one) => one !== null && at.line <= one && at.line > one - 12);
    const before = source.lineText(at.line).slice(0, at.column);
    const after = source.lineText(at.line).slice(at.column + 1);
    if (isNear && before.trim() !== '' && /[}$\\&]/.test(after))
      proposals.push(
        { title: 'Write \\%', edits: [insertAt(start, '\\')] },
        { title: 'Remove this %', edits: [cut(start, start + 1)] },
      );
  }
  return proposals.slice(-4);
};

/** A `#` outside of definitions, wherever TeX notices it: in a caption or title it is first carried elsewhere. */
export const escapeHash: Fixer = ({ line, shownLine }, source) => {
  const body = source.bodyStart ?? 0;
  const near = new Set([shownLine, line]);
  return source.annotated.tokens
    .filter(({ kind, start }) => {
      const at = source.positionOf(start).line;
      return (
        kind === 'hash' && start > body && [...near].some((one) => one !== null && at <= one && at > one - 8)
      );
    })
    .slice(-3)
    .reverse()
    .map(({ start }): Proposal => ({ title: 'Write \\#', edits: [insertAt(start, '\\')] }));
};
