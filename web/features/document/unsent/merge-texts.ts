/**
 * Merges two texts derived from a third, as far as their changes do not touch: first by lines, then, where lines
 * touch, by words. A formula is one word, so that two changes to the same formula are never merged automatically.
 */
import { diff3MergeRegions, diffIndices } from 'node-diff3';
import { findDifference } from '#latex/edits/text-difference.ts';

/** In lines or words: a longer section without a unique common line is not compared, and the user sees it whole. */
const longestSection = 1_500;

export type MergePart =
  /** Unchanged, changed by one side only, or by both in the same way. */
  { kind: 'agreed'; text: string } | { kind: 'conflict'; base: string; mine: string; theirs: string };

/**
 * Line breaks become `\n`. Joining the parts with one side's words gives that side's changes and the other's
 * non-conflicting ones.
 */
export function mergeTexts(base: string, mine: string, theirs: string): MergePart[] {
  return mergeLines(...([base, mine, theirs].map(withPlainBreaks) as [string, string, string]));
}

/** The merged text; null if there is a conflict to decide. */
export function joinAgreed(parts: readonly MergePart[]): string | null {
  return parts.every((part) => part.kind === 'agreed') ? parts.map((part) => part.text).join('') : null;
}

export interface Replacement {
  from: number;
  to: number;
  insert: string;
}

/** What makes `from` into `to`, by lines, each cut to what differs: positions in `from`, from its start. */
export function listReplacements(from: string, to: string): Replacement[] {
  const [a, b] = [splitLines(from), splitLines(to)];
  const list: Replacement[] = [];
  let position = 0;
  let start = { base: 0, mine: 0 };
  for (const end of [...findAnchors(a, b, b), { base: a.length, mine: b.length }]) {
    const [old, made] = [a.slice(start.base, end.base), b.slice(start.mine, end.mine)];
    for (const { at, count, lines } of compareLines(old, made)) {
      const before = old.slice(at, at + count).join('');
      const after = lines.join('');
      const cut = findDifference(before, after);
      const offset = position + old.slice(0, at).join('').length;
      if (before !== after)
        list.push({
          from: offset + cut.start,
          to: offset + cut.fromEnd,
          insert: after.slice(cut.start, cut.toEnd),
        });
    }
    position += old.join('').length + (a[end.base]?.length ?? 0);
    start = { base: end.base + 1, mine: end.mine + 1 };
  }
  return list;
}

function compareLines(old: string[], made: string[]): { at: number; count: number; lines: string[] }[] {
  if (Math.max(old.length, made.length) > longestSection) return [{ at: 0, count: old.length, lines: made }];
  return diffIndices(old, made).map(({ buffer1: [at, count], buffer2Content: lines }) => ({
    at,
    count,
    lines,
  }));
}

function mergeLines(base: string, mine: string, theirs: string): MergePart[] {
  if (mine === theirs || theirs === base) return agreed(mine);
  if (mine === base) return agreed(theirs);
  const [o, a, b] = [splitLines(base), splitLines(mine), splitLines(theirs)];
  const parts: MergePart[] = [];
  let from = { base: 0, mine: 0, theirs: 0 };
  // the end of all three counts as a common line
  for (const to of [...findAnchors(o, a, b), { base: o.length, mine: a.length, theirs: b.length }]) {
    const section = mergeTokens(
      o.slice(from.base, to.base),
      a.slice(from.mine, to.mine),
      b.slice(from.theirs, to.theirs),
    );
    for (const part of section) parts.push(...(part.kind === 'conflict' ? mergeWords(part) : [part]));
    parts.push({ kind: 'agreed', text: o[to.base] ?? '' });
    from = { base: to.base + 1, mine: to.mine + 1, theirs: to.theirs + 1 };
  }
  return compact(parts);
}

interface Anchor {
  base: number;
  mine: number;
  theirs: number;
}

/**
 * Lines that occur exactly once in each text, in an order that all three share (patience diff). Comparing takes
 * quadratic time in a section's length, and these lines keep the sections short.
 */
function findAnchors(base: string[], mine: string[], theirs: string[]): Anchor[] {
  const [inBase, inMine, inTheirs] = [base, mine, theirs].map(findSingles) as [Singles, Singles, Singles];
  const shared: Anchor[] = [];
  for (const [line, at] of inBase) {
    const [a, b] = [inMine.get(line) ?? -1, inTheirs.get(line) ?? -1];
    if (at >= 0 && a >= 0 && b >= 0) shared.push({ base: at, mine: a, theirs: b });
  }
  return pickGrowing(
    pickGrowing(shared, (anchor) => anchor.mine),
    (anchor) => anchor.theirs,
  );
}

/** The index of each line; -1 if it occurs more than once. */
type Singles = Map<string, number>;

function findSingles(lines: string[]): Singles {
  const places: Singles = new Map();
  for (const [at, line] of lines.entries()) places.set(line, places.has(line) ? -1 : at);
  return places;
}

/** The longest sublist in which the value always increases. */
function pickGrowing<T>(list: readonly T[], measure: (item: T) => number): T[] {
  interface Link {
    item: T;
    before: Link | undefined;
  }
  /** For each length, the chain with the lowest end. */
  const ends: Link[] = [];
  for (const item of list) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (measure(ends[middle]!.item) < measure(item)) low = middle + 1;
      else high = middle;
    }
    ends[low] = { item, before: ends[low - 1] };
  }
  const chain: T[] = [];
  for (let link = ends.at(-1); link; link = link.before) chain.push(link.item);
  return chain.reverse();
}

/**
 * Merges a section of lines that both changed word by word; it stays whole if that fails, because people read lines.
 */
function mergeWords(conflict: Extract<MergePart, { kind: 'conflict' }>): MergePart[] {
  const words = mergeTokens(
    splitWords(conflict.base),
    splitWords(conflict.mine),
    splitWords(conflict.theirs),
  );
  const text = joinAgreed(words);
  return text === null ? [conflict] : [{ kind: 'agreed', text }];
}

function mergeTokens(base: string[], mine: string[], theirs: string[]): MergePart[] {
  const [o, a, b] = [base.join(''), mine.join(''), theirs.join('')];
  if (a === b || b === o) return agreed(a);
  if (a === o) return agreed(b);
  if (Math.max(base.length, mine.length, theirs.length) > longestSection)
    return [{ kind: 'conflict', base: o, mine: a, theirs: b }];
  return diff3MergeRegions(mine, base, theirs).map((region): MergePart => {
    if (region.stable) return { kind: 'agreed', text: region.bufferContent.join('') };
    const [a, b] = [region.aContent.join(''), region.bContent.join('')];
    return a === b
      ? { kind: 'agreed', text: a }
      : { kind: 'conflict', base: region.oContent.join(''), mine: a, theirs: b };
  });
}

function agreed(text: string): MergePart[] {
  return [{ kind: 'agreed', text }];
}

/** Joins neighbouring agreed parts and drops empty ones. */
function compact(parts: MergePart[]): MergePart[] {
  const list: MergePart[] = [];
  for (const part of parts) {
    const last = list.at(-1);
    if (part.kind === 'agreed' && part.text === '') continue;
    if (part.kind === 'agreed' && last?.kind === 'agreed')
      list[list.length - 1] = { kind: 'agreed', text: last.text + part.text };
    else list.push(part);
  }
  return list.length > 0 ? list : agreed('');
}

function withPlainBreaks(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** Lines with their breaks; empty for an empty text. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Words and the spaces between them. */
function splitWords(text: string): string[] {
  return text.match(/\s+|\S+/g) ?? [];
}
