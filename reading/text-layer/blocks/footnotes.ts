/** Footnotes: small lines below the short rule at the foot of a page, inserted at their marks. */
import { readLine } from '../lines/inline.ts';
import { findLines } from '../lines/lines.ts';
import { joinLines, type Span, writeSpans } from '../lines/spans.ts';
import type { Glyph, Rule } from '../model.ts';
import type { ReadState } from '../state.ts';

export interface TakenFootnotes {
  glyphs: Set<Glyph>;
  rule: Rule;
  /** LaTeX by mark. */
  notes: Map<string, string>;
  /** Notes without a mark, as the AMS classes set thanks, subjects and the date of a document. */
  unmarked: string[];
}

/** Finds the notes of a page (one column, or the column that `glyphs` are); null if there are none. */
export function takeFootnotes(
  glyphs: readonly Glyph[],
  rules: readonly Rule[],
  state: ReadState,
): TakenFootnotes | null {
  if (glyphs.length === 0) return null;
  const left = Math.min(...glyphs.map((g) => g.x));
  const right = Math.max(...glyphs.map((g) => g.x + g.width));
  const bottom = Math.max(...glyphs.map((g) => g.baseline));
  const top = Math.min(...glyphs.map((g) => g.baseline));
  const rule = rules.find((r) => {
    if (!r.horizontal || Math.abs(r.x0 - left) > 3 || r.y0 < top + 0.4 * (bottom - top)) return false;
    const width = r.x1 - r.x0;
    const below = glyphs.filter((g) => g.baseline > r.y0);
    return (
      width > Math.min(0.2 * (right - left), 4 * state.bodySize) &&
      width < 0.55 * (right - left) &&
      below.length > 3 &&
      below.every((g) => g.size < 0.95 * state.bodySize)
    );
  });
  if (!rule) return null;
  const own = glyphs.filter((g) => g.baseline > rule.y0);
  const notes = new Map<string, string>();
  let mark: string | null = null;
  let lines: Span[][] = [];
  const unmarked: string[] = [];
  const flush = () => {
    const latex = writeSpans(joinLines(lines, state.knows)).trim();
    if (mark !== null) notes.set(mark, latex);
    else if (latex !== '') unmarked.push(latex);
    lines = [];
  };
  for (const line of findLines(
    own,
    rules.filter((r) => r !== rule),
    state.bodySize,
  )) {
    const sorted = [...line.glyphs].sort((a, b) => a.x - b.x);
    const raised = sorted.filter(
      (g, i) =>
        i < 3 &&
        g.size < 0.85 * line.size &&
        g.baseline < line.baseline - 0.15 * line.size &&
        /[\d∗*†‡§¶]/.test(g.text),
    );
    const isRaised = raised.length > 0 && sorted[0] === raised[0];
    const head = isRaised ? raised : countedMark(sorted, line.x0 - rule.x0);
    if (head.length > 0) {
      flush();
      mark = head.map((g) => g.text.replace('.', '')).join('');
      const rest = line.glyphs.filter((g) => !head.includes(g));
      lines.push(rest.length > 0 ? readLine({ ...line, glyphs: rest }, state.inline) : []);
      continue;
    }
    // without marks, each note begins further in than its other lines
    if (mark === null && line.x0 > rule.x0 + 0.5 * line.size) flush();
    lines.push(readLine(line, state.inline));
  }
  flush();
  return notes.size + unmarked.length > 0 ? { glyphs: new Set(own), rule, notes, unmarked } : null;
}

/** A number with a point, on the line and further in than its other lines: babel's French sets marks of notes so. */
function countedMark(sorted: readonly Glyph[], indent: number): readonly Glyph[] {
  const at = sorted.findIndex((g) => !/^\d$/.test(g.text));
  const [first, stop] = [sorted[0], sorted[at]];
  return first && at > 0 && stop?.text === '.' && indent > 0.5 * first.size ? sorted.slice(0, at + 1) : [];
}
