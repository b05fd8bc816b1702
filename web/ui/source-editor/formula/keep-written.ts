/**
 * The visual editor writes LaTeX in its own way: other spaces, other braces. Unchanged parts stay as the author
 * wrote them. Pure.
 */

interface Token {
  text: string;
  from: number;
  to: number;
}

/** Spaces and comments are not tokens: they stay with their neighbours. */
function tokenise(latex: string): Token[] {
  return [...latex.matchAll(/(\\[A-Za-z]+\*?|\\[\s\S]|[^\s\\%])|%[^\n]*/g)].flatMap((match) =>
    match[1] === undefined ? [] : [{ text: match[1], from: match.index, to: match.index + match[1].length }],
  );
}

/** With more cells than this, nothing is compared: the formula is taken as the editor writes it. */
const maxCells = 4_000_000;

/**
 * For each token of `b` the index of the equal one in `a`, in order, matching as many as possible; -1 where there is
 * none.
 */
function align(a: readonly Token[], b: readonly Token[]): Int32Array | null {
  const width = a.length + 1;
  if (width * (b.length + 1) > maxCells) return null;
  const lengths = new Uint16Array(width * (b.length + 1));
  for (let j = b.length - 1; j >= 0; j--)
    for (let i = a.length - 1; i >= 0; i--)
      lengths[j * width + i] =
        a[i]!.text === b[j]!.text
          ? lengths[(j + 1) * width + i + 1]! + 1
          : Math.max(lengths[(j + 1) * width + i]!, lengths[j * width + i + 1]!);
  const partners = new Int32Array(b.length).fill(-1);
  for (let i = 0, j = 0; i < a.length && j < b.length; )
    if (a[i]!.text === b[j]!.text) partners[j++] = i++;
    else if (lengths[(j + 1) * width + i]! >= lengths[j * width + i + 1]!) j++;
    else i++;
  return partners;
}

/**
 * @param written the formula as the author wrote it
 * @param before the same formula as the visual editor writes it
 * @param after the changed formula as the visual editor writes it
 * @returns `written` with the differences between `before` and `after`
 */
export function keepWritten(written: string, before: string, after: string): string {
  if (before === after) return written;
  const own = tokenise(written);
  const old = tokenise(before);
  const now = tokenise(after);
  const partners = align(own, old);
  if (partners === null) return after;
  let same = 0;
  while (same < Math.min(old.length, now.length) && old[same]!.text === now[same]!.text) same++;
  let rest = 0;
  while (
    rest < Math.min(old.length, now.length) - same &&
    old[old.length - 1 - rest]!.text === now[now.length - 1 - rest]!.text
  )
    rest++;
  // extended to where both spellings have the same token
  let first = same;
  while (first > 0 && partners[first - 1]! < 0) first--;
  let last = old.length - rest;
  while (last < old.length && partners[last]! < 0) last++;
  const ownFirst = first === 0 ? 0 : partners[first - 1]! + 1;
  const ownLast = last === old.length ? own.length : partners[last]!;
  const nowLast = now.length - (old.length - last);
  const middle = first < nowLast ? after.slice(now[first]!.from, now[nowLast - 1]!.to) : '';
  const isEmpty = ownFirst === ownLast;
  const cut = ownFirst === 0 ? (own[0]?.from ?? written.length) : own[ownFirst - 1]!.to;
  let left = written.slice(0, isEmpty ? cut : own[ownFirst]!.from);
  const right = written.slice(isEmpty ? cut : own[ownLast - 1]!.to);
  // of the spaces around a removed part, those on one side are enough
  if (middle === '' && /^\s/.test(right)) left = left.replace(/[ \t]+$/, '');
  return glue(glue(left, middle), right);
}

/** A letter after a command would become part of its name. */
function glue(left: string, right: string): string {
  return /\\[A-Za-z]+$/.test(left) && /^[A-Za-z]/.test(right) ? `${left} ${right}` : left + right;
}
