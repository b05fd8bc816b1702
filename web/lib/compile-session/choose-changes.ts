import { findDifference } from '#latex/edits/text-difference.ts';
import { maxChangesPerEdit, type TextChange } from '#shared/api/compile-session.ts';

/** Returns the editor's changes if they turn one text into the other; otherwise the one stretch that differs. */
export function chooseChanges(
  before: string,
  after: string,
  changes: TextChange[] | undefined,
): TextChange[] {
  const length = changes?.reduce(
    (sum, { from, to, insert }) => sum + insert.length - (to - from),
    before.length,
  );
  if (changes && changes.length <= maxChangesPerEdit && length === after.length) return changes;
  const { start, fromEnd, toEnd } = findDifference(before, after);
  return [{ from: start, to: fromEnd, insert: after.slice(start, toEnd) }];
}
