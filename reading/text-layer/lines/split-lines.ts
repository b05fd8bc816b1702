/** Separates lines of prose that ended up in one band because a fraction, a limit or an accent reaches into the next line. */
import { median } from '../../box.ts';
import { type Box, boundsOf, centreX, type Glyph, overlapX, type Rule } from '../model.ts';

/** A part of a column from `y0` to `y1`, with its glyphs. */
export interface Band {
  y0: number;
  y1: number;
  glyphs: Glyph[];
}

/** Letters in words that a baseline needs to be a line of prose. */
const minLetters = 6;

/** Signs of full size that a line of formulas needs. */
const leastSigns = 4;

/** Splits a band at the baselines of its words: each glyph goes to the line it belongs to. */
export function splitProse(band: Band, rules: readonly Rule[]): Band[] {
  const size = median(band.glyphs.map((g) => g.size));
  if (band.y1 - band.y0 < 1.9 * size) return [band];
  const bars = rules.filter(
    (r) =>
      r.horizontal &&
      r.y0 > band.y0 - 1 &&
      r.y1 < band.y1 + 1 &&
      (r.x1 - r.x0 < 0.6 * widthOf(band) || isFractionBar(r, band.glyphs)),
  );
  const lines = withFormulaLines(proseLines(band.glyphs, size), band.glyphs, bars, size).filter(
    (line, i, all) => i === 0 || line.y - (all[i - 1] as ProseLine).y > 0.8 * size,
  );
  const groups: ProseLine[][] = [];
  for (const line of lines) {
    const last = groups.at(-1)?.at(-1);
    if (last && isOneFormula(last, line, band.glyphs, bars, size)) groups.at(-1)?.push(line);
    else groups.push([line]);
  }
  if (groups.length < 2) return [band];
  const parts = groups.map((): Glyph[] => []);
  const groupOf = (y: number) => {
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    groups.forEach((group, i) => {
      for (const line of group) {
        const distance = Math.abs(line.y - 0.25 * size - y);
        if (distance < least) {
          least = distance;
          best = i;
        }
      }
    });
    return best;
  };
  const barOf = findBars(band.glyphs, bars);
  for (const g of band.glyphs) {
    const own = groups.findIndex((group) =>
      group.some((line) => Math.abs(line.y - g.baseline) < 0.12 * size),
    );
    const bar = own >= 0 && g.size > 0.87 * size ? undefined : barOf.get(g);
    const under = own >= 0 || bar ? undefined : letterUnder(g, band.glyphs, size);
    const middle = (box: Box) => (box.y0 + box.y1) / 2;
    const at = bar ? groupOf(middle(bar)) : own >= 0 ? own : groupOf(middle(under?.ink ?? g.ink));
    (parts[at] as Glyph[]).push(g);
  }
  return parts
    .filter((glyphs) => glyphs.length > 0)
    .map((glyphs) => {
      const box = boundsOf(glyphs.map((g) => g.ink));
      return { y0: box.y0, y1: box.y1, glyphs };
    });
}

/** Least space between the end of a line and a display that TeX sets no lower for it: two ems, as it measures them. */
const besideLine = 1.9;

/**
 * A last line of a paragraph that ends before a tall display below begins: words on one baseline at the left, and what
 * is at the right on a lower one.
 */
export function splitStairs(band: Band): Band[] {
  const size = median(band.glyphs.map((g) => g.size));
  if (band.y1 - band.y0 < 1.9 * size) return [band];
  const sorted = [...band.glyphs].sort((a, b) => a.x - b.x);
  let end = Number.NaN;
  const at = sorted.findIndex((g) => {
    const isApart = Math.min(g.x, g.ink.x0) - end > besideLine * size;
    end = Number.isNaN(end) ? g.x + g.width : Math.max(end, g.x + g.width);
    return isApart;
  });
  const [left, right] = [sorted.slice(0, at), sorted.slice(at)];
  if (
    at < 1 ||
    left.some((g) => g.font.family === 'extension') ||
    right.every((g) => g.font.family === 'none')
  )
    return [band];
  const baselineOf = (glyphs: readonly Glyph[]) =>
    median(
      glyphs.filter((g) => g.size > 0.87 * size && g.font.family !== 'extension').map((g) => g.baseline),
    );
  if (inWords([...left], size) < 3 || !(baselineOf(right) - baselineOf(left) > 0.8 * size)) return [band];
  return [left, right].map((glyphs) => {
    const box = boundsOf(glyphs.map((g) => g.ink));
    return { y0: box.y0, y1: box.y1, glyphs };
  });
}

/** Accents, and the parts of \overrightarrow. */
const marks = /^[\u0300-\u036f\u20d0-\u20ffˆ^˜¯˙¨´`˘ˇ−→←]$/;

/** What a mark lies on: a hat over an f is nearer to the baseline above than to its own. */
function letterUnder(mark: Glyph, glyphs: readonly Glyph[], size: number): Glyph | undefined {
  if (!marks.test(mark.text)) return undefined;
  const reach = { ...mark.ink, x0: mark.ink.x0 - 0.2 * size, x1: mark.ink.x1 + 0.2 * size };
  return glyphs.find(
    (g) =>
      !marks.test(g.text) &&
      Math.abs(g.ink.y0 - mark.ink.y1 - 0.05 * size) < 0.2 * size &&
      overlapX(g.ink, reach) > 0,
  );
}

interface ProseLine {
  y: number;
  letters: Glyph[];
}

function widthOf({ glyphs }: Band): number {
  const box = boundsOf(glyphs.map((g) => g.ink));
  return box.x1 - box.x0;
}

/** Baselines of words of three or more letters. */
function proseLines(glyphs: readonly Glyph[], size: number): ProseLine[] {
  const rows: ProseLine[] = [];
  for (const g of glyphs) {
    if (g.font.family !== 'none' || g.size < 0.87 * size || !/^\p{L}+$/u.test(g.text)) continue;
    const row = rows.find((r) => Math.abs(r.y - g.baseline) < 0.15 * size);
    if (row) row.letters.push(g);
    else rows.push({ y: g.baseline, letters: [g] });
  }
  return rows.filter((row) => inWords(row.letters, size) >= minLetters).sort((a, b) => a.y - b.y);
}

/** Lines of a paragraph that are mostly formulas: they begin where a line of words does, or before its indent. */
function withFormulaLines(
  lines: ProseLine[],
  glyphs: readonly Glyph[],
  bars: readonly Rule[],
  size: number,
): ProseLine[] {
  if (lines.length === 0) return lines;
  const rows: ProseLine[] = [];
  for (const g of [...glyphs].sort((a, b) => a.x - b.x)) {
    if (g.size < 0.87 * size || g.role !== 'plain' || g.font.family === 'extension') continue;
    const row = rows.find((r) => Math.abs(r.y - g.baseline) < 0.05 * size);
    if (row) row.letters.push(g);
    else rows.push({ y: g.baseline, letters: [g] });
  }
  const startOf = (y: number) =>
    rows.find((r) => Math.abs(r.y - y) < 0.15 * size)?.letters[0]?.x ?? Number.NaN;
  const starts = lines.map(({ y }) => startOf(y));
  const more = rows.filter(
    ({ y, letters }) =>
      letters.length >= leastSigns &&
      // not above or below the bar of a fraction
      !bars.some(
        (r) => Math.abs(r.y0 - y + 0.25 * size) < size && overlapX((letters[0] as Glyph).ink, r) > 0,
      ) &&
      lines.every((line) => Math.abs(line.y - y) > 1.05 * size) &&
      starts.some((x) => isIndent((x - (letters[0] as Glyph).x) / size)),
  );
  return more.length === 0 ? lines : [...lines, ...more].sort((a, b) => a.y - b.y);
}

/** From the beginning of a line to that of the first of its paragraph, in ems. */
function isIndent(ems: number): boolean {
  return ems > -0.3 && ems < 2.2;
}

function inWords(letters: Glyph[], size: number): number {
  letters.sort((a, b) => a.x - b.x);
  let count = 0;
  let run = 0;
  letters.forEach((g, i) => {
    const last = letters[i - 1];
    const joins = last !== undefined && g.x - last.x - last.width < 0.14 * size;
    run = joins ? run + 1 : 1;
    if (run === 3) count += 3;
    if (run > 3) count += 1;
  });
  return count;
}

/** Above and below a fraction's bar are two rows that are centred on it, one of them as wide as it is. */
function isFractionBar(bar: Rule, glyphs: readonly Glyph[]): boolean {
  const inside = glyphs.filter((g) => centreX(g.ink) > bar.x0 && centreX(g.ink) < bar.x1);
  const rows = [
    inside.filter((g) => g.ink.y1 < bar.y0 + 1 && bar.y0 - g.ink.y1 < g.size),
    inside.filter((g) => g.ink.y0 > bar.y1 - 1 && g.ink.y0 - bar.y1 < g.size),
  ];
  if (rows.some((row) => row.length === 0)) return false;
  const boxes = rows.map((row) => boundsOf(row.map((g) => g.ink)));
  return (
    boxes.every((box) => Math.abs(centreX(box) - centreX(bar)) < 1.5) &&
    boxes.some((box) => Math.abs(box.x1 - box.x0 - (bar.x1 - bar.x0)) < 2)
  );
}

/** A delimiter spans both lines, or all words of one are above (or below) a bar. */
function isOneFormula(
  upper: ProseLine,
  lower: ProseLine,
  glyphs: readonly Glyph[],
  bars: readonly Rule[],
  size: number,
): boolean {
  const columns = new Map<string, { y0: number; y1: number }>();
  for (const g of glyphs) {
    const isTall =
      g.role === 'piece' || (g.ink.y1 - g.ink.y0 > 1.35 * g.size && /^[()[\]{}|⟨⟩∣‖∥]$/.test(g.text));
    if (!isTall) continue;
    const key = g.role === 'piece' ? `${g.text}${Math.round(g.x)}` : `${g.text}${g.x}`;
    const at = columns.get(key);
    columns.set(key, {
      y0: Math.min(at?.y0 ?? g.ink.y0, g.ink.y0),
      y1: Math.max(at?.y1 ?? g.ink.y1, g.ink.y1),
    });
  }
  const embraces = [...columns.values()].some(
    ({ y0, y1 }) => y0 < upper.y - 0.2 * size && y1 > lower.y - 0.3 * size,
  );
  const isStacked = bars.some(
    (r) =>
      r.y0 > upper.y &&
      r.y1 < lower.y &&
      [upper, lower].some(({ letters }) =>
        letters.every((g) => centreX(g.ink) > r.x0 - 2 && centreX(g.ink) < r.x1 + 2),
      ),
  );
  return embraces || isStacked;
}

/** Whether the row next to a bar goes on beyond its ends: it is an overline or underline between two lines, no fraction. */
export function goesOnBeyond(bar: Rule, glyphs: readonly Glyph[], bars: readonly Rule[]): boolean {
  const distance = (g: Glyph) => Math.max(bar.y0 - g.ink.y1, g.ink.y0 - bar.y1);
  const near = glyphs
    .filter((g) => centreX(g.ink) > bar.x0 - 1 && centreX(g.ink) < bar.x1 + 1)
    .sort((a, b) => distance(a) - distance(b))[0];
  if (!near) return false;
  // what has a bar of its own is another fraction
  const others = bars.filter((r) => r !== bar && Math.abs(r.y0 - bar.y0) < 1);
  return glyphs.some((g) => {
    if (Math.abs(g.baseline - near.baseline) > 0.1 * near.size || g.size < 0.87 * near.size) return false;
    const [left, right] = [bar.x0 - g.x, g.x + g.width - bar.x1];
    if (Math.max(left, right) < 0.15 * g.size || others.some((r) => overlapX(g.ink, r) > 0)) return false;
    return Math.max(g.x - bar.x1, bar.x0 - g.x - g.width) < 0.2 * g.size;
  });
}

/** The bar of the fraction that each glyph belongs to: next to it, or a script of a glyph that is. */
function findBars(glyphs: readonly Glyph[], bars: readonly Rule[]): Map<Glyph, Rule> {
  const found = new Map<Glyph, Rule>();
  const covers = (r: Rule, g: Glyph) => overlapX(g.ink, r) > 0.5 * (g.ink.x1 - g.ink.x0);
  for (const g of glyphs) {
    const bar = bars.find((r) => covers(r, g) && Math.max(r.y0 - g.ink.y1, g.ink.y0 - r.y1) < 0.45 * g.size);
    if (bar) found.set(g, bar);
  }
  // in writing order, so that each letter of a script follows the previous one
  for (const g of [...glyphs].sort((a, b) => a.x - b.x)) {
    if (found.has(g)) continue;
    for (const [base, bar] of found) {
      const gap = g.x - base.x - base.width;
      const isScript =
        Math.min(g.ink.y1, base.ink.y1) > Math.max(g.ink.y0, base.ink.y0) && g.size <= base.size;
      if (!isScript || Math.abs(gap) > 0.12 * base.size || !covers(bar, g)) continue;
      found.set(g, bar);
      break;
    }
  }
  return found;
}
