/** Applies an edit to the server's copy of a document. */
import type { TextChange } from '#shared/api/compile-session.ts';

/**
 * The text after the changes, which are in text order and do not overlap; null if they do not fit the text.
 * Offsets are UTF-16 units and may split a surrogate pair: an edit may well replace one half.
 */
export function applyChanges(text: string, changes: readonly TextChange[]): string | null {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, insert } of changes) {
    if (from < at || to < from || to > text.length) return null;
    parts.push(text.slice(at, from), insert);
    at = to;
  }
  parts.push(text.slice(at));
  return parts.join('');
}
