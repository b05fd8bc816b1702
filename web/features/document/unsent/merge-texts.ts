/**
 * Two texts that were made from a third become one, where nothing that one side changed touches what the other did:
 * first by lines, then, where lines touch, by words. Formulas are words here (no spaces, one word), so that two changes
 * of one formula are never put together by a machine.
 */
import { diff3MergeRegions } from 'node-diff3';

/** In lines, or words: a longer stretch without a line of its own is not compared, and a person sees it whole. */
const longestStretch = 1_500;

export type MergePart =
  /** Unchanged, changed by one side only, or by both in the same way. */
  { kind: 'agreed'; text: string } | { kind: 'conflict'; base: string; mine: string; theirs: string };

/** Line breaks become `\n`. The parts, put together with one side's words, give that side's changes and the other's beside them. */
export function mergeTexts(base: string, mine: string, theirs: string): MergePart[] {
  return mergeLines(...([base, mine, theirs].map(withPlainBreaks) as [string, string, string]));
}

/** The merged text; null when a person has to choose. */
export function joinAgreed(parts: readonly MergePart[]): string | null {
  return parts.every((part) => part.kind === 'agreed') ? parts.map((part) => part.text).join('') : null;
}

function mergeLines(base: string, mine: string, theirs: string): MergePart[] {
  if (mine === theirs || theirs === base) return agreed(mine);
  if (mine === base) return agreed(theirs);
  const [o, a, b] = [splitLines(base), splitLines(mine), splitLines(theirs)];
  const parts: MergePart[] = [];
  let from = { base: 0, mine: 0, theirs: 0 };
  // the end of all three holds like a line that they share
  for (const to of [...findAnchors(o, a, b), { base: o.length, mine: a.length, theirs: b.length }]) {
    const stretch = mergeTokens(
      o.slice(from.base, to.base),
      a.slice(from.mine, to.mine),
      b.slice(from.theirs, to.theirs),
    );
    for (const part of stretch) parts.push(...(part.kind === 'conflict' ? mergeWords(part) : [part]));
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
 * Lines that each text has exactly once, in an order that all three share (patience diff). Comparing takes the square of
 * a stretch's length, and these keep the stretches short.
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

/** Where each line stands; -1 when it stands in several places. */
type Singles = Map<string, number>;

function findSingles(lines: string[]): Singles {
  const places: Singles = new Map();
  for (const [at, line] of lines.entries()) places.set(line, places.has(line) ? -1 : at);
  return places;
}

/** The longest choice from the list in which the value always grows. */
function pickGrowing<T>(list: readonly T[], measure: (item: T) => number): T[] {
  interface Link {
    item: T;
    before: Link | undefined;
  }
  /** Of each length, the chain that ends lowest. */
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

/** A stretch of lines that both changed; stays whole when it cannot be put together, for a line is what a person reads. */
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
  if (Math.max(base.length, mine.length, theirs.length) > longestStretch)
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

/** Neighbours that agree become one part; what is empty goes. */
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

/** With their breaks; nothing for an empty text. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Words and the spaces between them. */
function splitWords(text: string): string[] {
  return text.match(/\s+|\S+/g) ?? [];
}
