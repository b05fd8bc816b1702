/**
 * Splits a change of a text into parts that can be accepted one by one: changes on separate lines are separate parts.
 */
import { presentableDiff } from '@codemirror/merge';
import { type ChangeDesc, ChangeSet } from '@codemirror/state';
import { findDifference } from '#latex/edits/text-difference.ts';

export interface TextEdit {
  from: number;
  to: number;
  insert: string;
}

/** One part. Offsets are UTF-16 into the text that it applies to. */
export interface Hunk extends TextEdit {
  /** From 0, in document order; stays the same when other parts are removed. */
  id: number;
  /** The part's changes character by character, in document order. */
  edits: readonly TextEdit[];
}

/** The comparison becomes coarser beyond this many changed characters, and after this many ms. */
const diffLimits = { scanLimit: 2_000, timeout: 500 };

/** Applying all parts to `before` gives `after`. Changes separated by a whole unchanged line are different parts. */
export function findHunks(before: string, after: string): Hunk[] {
  const groups: TextEdit[][] = [];
  for (const { fromA: from, toA: to, fromB, toB } of compare(before, after)) {
    const edit = { from, to, insert: after.slice(fromB, toB) };
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && countLineEnds(before, last.to, from) < 2) group.push(edit);
    else groups.push([edit]);
  }
  return groups.map((edits, id) => ({ id, ...joinEdits(before, edits), edits }));
}

/** Half a surrogate pair, which no well-formed text has, can send presentableDiff into endless recursion. */
function compare(
  before: string,
  after: string,
): readonly { fromA: number; toA: number; fromB: number; toB: number }[] {
  if (before.isWellFormed() && after.isWellFormed()) return presentableDiff(before, after, diffLimits);
  if (before === after) return [];
  const { start, fromEnd, toEnd } = findDifference(before, after);
  return [{ fromA: start, toA: fromEnd, fromB: start, toB: toEnd }];
}

function countLineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to && count < 2; at = text.indexOf('\n', at + 1))
    count++;
  return count;
}

function joinEdits(text: string, edits: readonly TextEdit[]): TextEdit {
  const { from } = edits[0]!;
  const { to } = edits.at(-1)!;
  let insert = '';
  let at = from;
  for (const edit of edits) {
    insert += text.slice(at, edit.from) + edit.insert;
    at = edit.to;
  }
  return { from, to, insert };
}

/** Applies these parts to the text, in any order. */
export function applyHunks(text: string, hunks: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const { from, to, insert } of hunks.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    result += text.slice(at, from) + insert;
    at = to;
  }
  return result + text.slice(at);
}

export interface MovedHunks {
  hunks: Hunk[];
  /** Parts whose own text was changed, so that they can no longer be applied. */
  lost: Hunk[];
}

/** Moves the parts along with changes of the text around them. */
export function moveHunks(hunks: readonly Hunk[], changes: ChangeDesc): MovedHunks {
  const moved: MovedHunks = { hunks: [], lost: [] };
  for (const hunk of hunks) {
    if (isTouched(hunk, changes)) moved.lost.push(hunk);
    else moved.hunks.push(moveHunk(hunk, changes));
  }
  return moved;
}

function isTouched({ from, to }: Hunk, changes: ChangeDesc): boolean {
  let isWithin = false;
  changes.iterChangedRanges((fromA, toA) => {
    if (fromA < to && toA > from) isWithin = true;
  });
  return isWithin;
}

function moveHunk(hunk: Hunk, changes: ChangeDesc): Hunk {
  // text typed at an edge stays outside; any change between the edges loses the part
  const isInsertion = hunk.from === hunk.to;
  const from = changes.mapPos(hunk.from, isInsertion ? -1 : 1);
  const by = from - hunk.from;
  if (by === 0) return hunk;
  const edits = hunk.edits.map((edit) => ({ ...edit, from: edit.from + by, to: edit.to + by }));
  return { ...hunk, from, to: hunk.to + by, edits };
}

/** The changes between two texts, for moving parts made for the first one. */
export function findChanges(before: string, after: string): ChangeSet {
  const edits = compare(before, after).map(({ fromA, toA, fromB, toB }) => ({
    from: fromA,
    to: toA,
    insert: after.slice(fromB, toB),
  }));
  return ChangeSet.of(edits, before.length);
}

/** How a part is shown: the old lines that it replaces, and the new ones. */
export interface HunkLines {
  /** Offsets of the old lines, without the last line end; null if lines are only added. */
  old: { from: number; to: number } | null;
  /** Where to show the new lines: after this offset, or before it. */
  at: number;
  side: 'before' | 'after';
  /** The new lines, as runs that are new or unchanged; null if lines are only removed. */
  lines: { text: string; isNew: boolean }[] | null;
}

/** @param lineAt the line around an offset */
export function layOutHunk(
  hunk: Hunk,
  text: { slice: (from: number, to: number) => string; lineAt: (at: number) => { from: number; to: number } },
): HunkLines {
  const first = text.lineAt(hunk.from);
  const last = text.lineAt(hunk.to);
  const isInsertion = hunk.from === hunk.to;
  if (isInsertion && hunk.from === first.from && hunk.insert.endsWith('\n'))
    return {
      old: null,
      at: first.from,
      side: 'before',
      lines: [{ text: hunk.insert.slice(0, -1), isNew: true }],
    };
  if (isInsertion && hunk.from === first.to && hunk.insert.startsWith('\n'))
    return { old: null, at: first.to, side: 'after', lines: [{ text: hunk.insert.slice(1), isNew: true }] };
  const isWholeLines =
    hunk.insert === '' &&
    ((hunk.from === first.from && hunk.to === last.from && hunk.to > hunk.from) ||
      (hunk.from === first.to && hunk.to === last.to));
  if (isWholeLines) {
    const from = hunk.from === first.from ? hunk.from : hunk.from + 1;
    const to = hunk.from === first.from ? hunk.to - 1 : hunk.to;
    return { old: { from, to }, at: to, side: 'after', lines: null };
  }
  const lines: { text: string; isNew: boolean }[] = [];
  const add = (part: string, isNew: boolean) => {
    if (part !== '') lines.push({ text: part, isNew });
  };
  let at = first.from;
  for (const edit of hunk.edits) {
    add(text.slice(at, edit.from), false);
    add(edit.insert, true);
    at = edit.to;
  }
  add(text.slice(at, last.to), false);
  return { old: { from: first.from, to: last.to }, at: last.to, side: 'after', lines };
}
