/** Replaces ranges of a text and tracks where everything else moves. */

/** Replace `[start, end)` by `text`. Equal `start` and `end` insert. */
export interface Splice {
  start: number;
  end: number;
  text: string;
}

export interface Spliced {
  text: string;
  /** Maps an offset of the old text to the new one. Offsets inside a replaced range go to its nearer end. */
  mapOffset(offset: number): number;
  /** Maps an offset of the new text to the old one; offsets in a replacement go to the replaced range. */
  unmapOffset(offset: number): number;
  /** The applied splices by place, without overlap. */
  made: readonly Splice[];
}

/**
 * Applies splices to a text. They may come in any order; those that overlap an earlier one are left out
 * (the one that starts first wins, at one place insertions come before replacements, in the order given).
 */
export function applySplices(text: string, splices: readonly Splice[]): Spliced {
  if (splices.length === 0)
    return { text, mapOffset: (offset) => offset, unmapOffset: (offset) => offset, made: [] };
  const ordered = splices
    .map((splice, order) => ({ splice, order }))
    .sort(
      (a, b) =>
        a.splice.start - b.splice.start ||
        Number(a.splice.end > a.splice.start) - Number(b.splice.end > b.splice.start) ||
        a.order - b.order,
    );
  const done: Splice[] = [];
  let output = '';
  let position = 0;
  for (const { splice } of ordered) {
    if (splice.start < position) continue;
    output += text.slice(position, splice.start) + splice.text;
    position = splice.end;
    done.push(splice);
  }
  output += text.slice(position);
  const mapOffset = (offset: number): number => {
    let shift = 0;
    for (const splice of done) {
      if (splice.start >= offset) break;
      if (splice.end > offset)
        return splice.start + shift + Math.min(offset - splice.start, splice.text.length);
      shift += splice.text.length - (splice.end - splice.start);
    }
    return offset + shift;
  };
  const unmapOffset = (offset: number): number => {
    let shift = 0;
    for (const splice of done) {
      const start = splice.start + shift;
      if (offset < start) break;
      if (offset < start + splice.text.length) return Math.min(splice.start + (offset - start), splice.end);
      shift += splice.text.length - (splice.end - splice.start);
    }
    return offset - shift;
  };
  return { text: output, mapOffset, unmapOffset, made: done };
}

/**
 * Moves spans through a splicing; spans that become empty are left out. Alternatives to a span's text are dropped
 * when a splice changes that text.
 */
export function mapSpans<T extends { start: number; end: number; alternatives?: unknown }>(
  spans: readonly T[],
  spliced: Spliced,
): T[] {
  return spans
    .map((span) => ({
      ...withoutLostAlternatives(span, spliced.made),
      start: spliced.mapOffset(span.start),
      end: spliced.mapOffset(span.end),
    }))
    .filter((span) => span.end > span.start);
}

/** The span itself, or without its alternatives if a splice changes its text. */
export function withoutLostAlternatives<T extends { start: number; end: number; alternatives?: unknown }>(
  span: T,
  made: readonly Splice[],
): T {
  const isChanged = ({ start, end }: Splice) =>
    start < span.end && (end > span.start || (start === end && start === span.start));
  if (!span.alternatives || !made.some(isChanged)) return span;
  const { alternatives: _, ...rest } = span;
  return rest as T;
}
