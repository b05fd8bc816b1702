/** Which lines are read together: whole paragraphs and whole lists around the visible part. */
import type { EditorState } from '@codemirror/state';
import { listEnvironments } from '#latex/source/commands.ts';
import { getLineIndex } from '../lines/line-index.ts';
import { getStructure } from '../lines/structure.ts';

/** A paragraph is followed this many lines at most. */
const longestParagraph = 60;
/** A list's items are counted over this many lines at most; in a longer one the commands are shown. */
const longestList = 600;
const longestOther = 200;

/** @param done lines up to this are not read (again); 1-based @returns lines, 1-based, or null if none is left */
export function stretchAround(
  state: EditorState,
  { from, to }: { from: number; to: number },
  done: number,
): { first: number; last: number } | null {
  const { doc } = state;
  const { lines } = getLineIndex(state);
  let first = Math.max(done + 1, doc.lineAt(from).number);
  let last = doc.lineAt(to).number;
  if (first > last) return null;
  const isInText = (number: number) => (lines[number - 1]?.entry ?? '') === '';
  const isBlank = (number: number) => doc.line(number).text.trim() === '';
  const earliest = Math.max(done + 1, first - longestParagraph);
  while (first > earliest && !(isBlank(first) && isInText(first))) first--;
  const latest = Math.min(doc.lines, last + longestParagraph);
  while (last < latest && !isBlank(last)) last++;
  for (const { begin, end } of getStructure(state).pairs) {
    const name = begin.mark.name.trim();
    if (name === 'document') continue;
    const isCut =
      begin.line > done &&
      ((begin.line < first && end.line >= first) || (begin.line <= last && end.line > last));
    const longest = listEnvironments.has(name) ? longestList : longestOther;
    if (!isCut || end.line - begin.line > longest) continue;
    if (begin.line < first) first = begin.line;
    if (end.line > last) last = end.line;
  }
  while (first <= last && !isInText(first)) first++;
  return first <= last ? { first, last } : null;
}
