/**
 * Lines of a column. TeX leaves a blank band between the lines of a paragraph, so bands of ink are the lines;
 * what a fraction bar or a limit connects is joined again.
 */
import { median } from '../../box.ts';
import { findFrames } from '../frames.ts';
import { findSymbol } from '../math/symbols.ts';
import { areSame, type Box, boundsOf, centreX, type Glyph, overlapX, type Rule } from '../model.ts';
import type { Region } from './columns.ts';
import { beginsBar, joinByBars, mergeBands } from './join-bars.ts';
import { numbersAlone, placeNumbers } from './row-numbers.ts';
import { type Band, splitProse, splitStairs } from './split-lines.ts';

export interface Line extends Box {
  glyphs: Glyph[];
  rules: Rule[];
  /** Baseline of its text. */
  baseline: number;
  /** Em size of most of its full-size glyphs. */
  size: number;
}

/** A letter's vertical extent on its line, including ascenders that it does not have, so that words stay together. */
function room(glyph: Glyph): { y0: number; y1: number } {
  if (glyph.role !== 'plain' || glyph.font.family === 'extension' || glyph.text === '√')
    return { y0: glyph.ink.y0, y1: glyph.ink.y1 };
  return {
    y0: Math.min(glyph.ink.y0, glyph.baseline - 0.5 * glyph.size),
    y1: Math.max(glyph.ink.y1, glyph.baseline + 0.05 * glyph.size),
  };
}

const known = new WeakMap<Region, { rules: readonly Rule[]; bodySize: number; lines: readonly Line[] }[]>();

/** As `findLines`, of a whole region; found once for the same rules. Callers share the lines and leave them as they are. */
export function linesOf(region: Region, rules: readonly Rule[], bodySize: number): readonly Line[] {
  const before = known.get(region) ?? [];
  const same = before.find((one) => one.bodySize === bodySize && areSame(one.rules, rules));
  if (same) return same.lines;
  const lines = findLines(region.glyphs, rules, bodySize);
  known.set(region, [...before, { rules, bodySize, lines }]);
  return lines;
}

/** Lines from top to bottom. `rules` are those that may be bars in formulas, without those of tables and pages. */
export function findLines(glyphs: readonly Glyph[], rules: readonly Rule[], bodySize: number): Line[] {
  const numbers = numbersAlone(glyphs);
  const others =
    numbers.length === 0 ? glyphs : glyphs.filter((g) => !numbers.some((own) => own.includes(g)));
  let bands = placeNumbers(bandsOf(others, bodySize), numbers);
  bands = joinByBars(bands, rules, bodySize);
  bands = joinPieces(bands);
  bands = joinBraces(bands);
  bands = joinLimits(bands, bodySize);
  const lines: Line[] = [];
  for (const band of bands) {
    for (const part of splitProse(band, rules)
      .flatMap((b) => splitTouching(b, rules))
      .flatMap(splitStairs))
      lines.push(toLine(part, rules));
  }
  return withOwnBars(lines);
}

/** The bar of a root does not underline the words of the line above it. */
function withOwnBars(lines: Line[]): Line[] {
  lines.slice(1).forEach((lower, i) => {
    const upper = lines[i] as Line;
    if (upper.rules.length === 0 || lower.rules.length === 0) return;
    const roots = lower.glyphs.filter(({ text }) => text === '√');
    upper.rules = upper.rules.filter((r) => !r.horizontal || !roots.some((root) => beginsBar(root, r)));
  });
  return lines;
}

function bandsOf(glyphs: readonly Glyph[], bodySize: number): Band[] {
  const sorted = glyphs.map((g) => ({ g, r: room(g) })).sort((a, b) => a.r.y0 - b.r.y0);
  const bands: Band[] = [];
  for (const { g, r } of sorted) {
    const last = bands[bands.length - 1];
    if (last && r.y0 < last.y1 - 0.01 * bodySize) {
      last.glyphs.push(g);
      last.y1 = Math.max(last.y1, r.y1);
    } else bands.push({ ...r, glyphs: [g] });
  }
  return bands;
}

/** Pieces of one delimiter may have a narrow gap between them. */
function joinPieces(bands: Band[]): Band[] {
  let out = bands;
  for (let i = 0; i + 1 < out.length; i++) {
    const upper = (out[i] as Band).glyphs.filter((g) => g.role === 'piece');
    const lower = (out[i + 1] as Band).glyphs.filter((g) => g.role === 'piece');
    const isOne = upper.some((a) =>
      lower.some(
        (b) => a.text === b.text && Math.abs(a.x - b.x) < 0.1 * a.size && b.ink.y0 - a.ink.y1 < 0.25 * a.size,
      ),
    );
    if (!isOne) continue;
    out = mergeBands(out, i, i + 1);
    i -= 1;
  }
  return out;
}

function isWideAccent(g: Glyph): boolean {
  return g.font.family !== 'none' && /^[\u0300-\u036f\u20d0-\u20ff]$/.test(g.text);
}

/** A part of \overrightarrow. */
function isArrowPart(g: Glyph): boolean {
  return g.font.family !== 'none' && /^[−→←]$/.test(g.text);
}

/** A horizontal brace (or a wide hat) is close to what it spans. */
function joinBraces(bands: Band[]): Band[] {
  let out = bands;
  for (let i = 0; i < out.length; i++) {
    const band = out[i] as Band;
    const isArrow = band.glyphs.every(isArrowPart) && band.glyphs.some(({ text }) => text !== '−');
    const tips = band.glyphs.filter((g) => isArrow || g.role.startsWith('brace') || isWideAccent(g));
    if (tips.length === 0 || tips.length < band.glyphs.length) continue;
    const box = boundsOf(tips.map((g) => g.ink));
    const gap = (k: number) => {
      const other = out[k];
      if (!other?.glyphs.some((g) => overlapX(g.ink, box) > 0)) return Infinity;
      return k < i ? box.y0 - other.y1 : other.y0 - box.y1;
    };
    const isAccent = isArrow || tips.every(isWideAccent);
    const target = !isAccent && gap(i - 1) <= gap(i + 1) ? i - 1 : i + 1;
    if (gap(target) > (isArrow ? 0.25 * (tips[0] as Glyph).size : 10)) continue;
    out = mergeBands(out, Math.min(i, target), Math.max(i, target));
    i = -1;
  }
  return out;
}

function isOperator(glyph: Glyph): boolean {
  return (
    glyph.role === 'operator-display' ||
    glyph.role === 'operator-text' ||
    glyph.role.startsWith('brace') ||
    ('∑∏∐∫⋃⋂→⟶=∮⨁⨂⋀⋁'.includes(glyph.text) && glyph.font.family !== 'none')
  );
}

/** A band with only small glyphs near an operator, an arrow or a name such as lim contains its limits. */
function joinLimits(bands: Band[], bodySize: number): Band[] {
  let out = bands;
  for (let i = 0; i < out.length; i++) {
    const band = out[i] as Band;
    const largest = Math.max(...band.glyphs.map((g) => g.size));
    const neighbours = [i - 1, i + 1].filter((k) => k >= 0 && k < out.length);
    let target = -1;
    let best = 0.6 * bodySize;
    for (const k of neighbours) {
      const other = out[k] as Band;
      const otherSize = Math.max(...other.glyphs.map((g) => g.size));
      if (largest > 0.87 * otherSize) continue;
      const gap = k < i ? band.y0 - other.y1 : other.y0 - band.y1;
      if (gap >= best) continue;
      const hasAnchor = (box: Box) =>
        box.x1 - box.x0 <= 14 * otherSize &&
        other.glyphs.some(
          (g) =>
            (k > i && gap < 0.3 * otherSize && isLabelOf(box, g)) ||
            (overlapX({ ...g.ink, x0: g.ink.x0 - 0.6 * g.size, x1: g.ink.x1 + 0.6 * g.size }, box) > 0 &&
              (isOperator(g) || isLimitName(g, other.glyphs))),
        );
      if (hasAnchor(boundsOf(band.glyphs.map((g) => g.ink))) || groupsOf(band, otherSize).every(hasAnchor)) {
        best = gap;
        target = k;
      }
    }
    if (target >= 0) {
      out = mergeBands(out, Math.min(i, target), Math.max(i, target));
      i = Math.max(-1, i - 2);
    }
  }
  return out;
}

/** \overset centres it on a relation. */
function isLabelOf(box: Box, { ink, size, text }: Glyph): boolean {
  return Math.abs(centreX(ink) - centreX(box)) < 0.06 * size && findSymbol(text)?.atom === 'rel';
}

/** Where a band has ink, joined over less than two ems: the limits of operators that stand apart. */
function groupsOf(band: Band, size: number): Box[] {
  const groups: Box[] = [];
  for (const { ink } of [...band.glyphs].sort((a, b) => a.ink.x0 - b.ink.x0)) {
    const last = groups.at(-1);
    if (last && ink.x0 - last.x1 < 2 * size) groups[groups.length - 1] = boundsOf([last, ink]);
    else groups.push(ink);
  }
  return groups;
}

/** The letter m, n, p, x, … that ends or begins lim, min, max, sup, inf, gcd and the like. */
function isLimitName(glyph: Glyph, band: readonly Glyph[]): boolean {
  if (!/^[a-z]$/i.test(glyph.text) || glyph.font.italic) return false;
  const word = band
    .filter(
      (g) =>
        g.font.id === glyph.font.id &&
        Math.abs(g.baseline - glyph.baseline) < 0.5 &&
        Math.abs(g.x - glyph.x) < 2.4 * glyph.size,
    )
    .sort((a, b) => a.x - b.x)
    .map((g) => g.text)
    .join('');
  return /lim|max|min|sup|inf|gcd|det|Pr/.test(word);
}

/**
 * Rows of a table whose tall cells touch: separated between two baselines of words where no ink crosses. A fraction of
 * words has its bar there, a matrix its delimiters.
 */
function splitTouching(band: Band, rules: readonly Rule[]): Band[] {
  const size = median(band.glyphs.map((g) => g.size));
  if (band.y1 - band.y0 < 2 * size) return [band];
  const words = band.glyphs.filter(
    (g) => g.font.family === 'none' && g.size > 0.87 * size && /\p{L}/u.test(g.text),
  );
  const baselines = [...new Set(words.map((g) => Math.round(g.baseline)))]
    .filter((y) => words.filter((g) => Math.round(g.baseline) === y).length >= 4)
    .sort((a, b) => a - b);
  for (let i = 0; i + 1 < baselines.length; i++) {
    const upper = baselines[i] as number;
    const lower = baselines[i + 1] as number;
    if (lower - upper < 1.05 * size) continue;
    const own = words.filter((g) => Math.round(g.baseline) === upper || Math.round(g.baseline) === lower);
    const hasBar = rules.some(
      (r) => r.horizontal && r.y0 > upper && r.y1 < lower && own.some((g) => overlapX(g.ink, r) > 0),
    );
    if (hasBar) continue;
    for (let y = upper + 0.1 * size; y < lower - 0.3 * size; y += 0.25) {
      if (band.glyphs.some((g) => g.ink.y0 < y - 0.4 && g.ink.y1 > y + 0.4)) continue;
      // a brace in pieces is on both sides of its joints
      const pieces = band.glyphs.filter((g) => g.role === 'piece');
      const isJoint = pieces.some((a) =>
        pieces.some(
          (b) =>
            a.text === b.text &&
            Math.abs(a.x - b.x) < 0.1 * size &&
            a.ink.y0 < y &&
            b.ink.y1 > y &&
            b.baseline !== a.baseline,
        ),
      );
      if (isJoint) break;
      const part = (glyphs: Glyph[]): Band => ({ ...boundsOf(glyphs.map((g) => g.ink)), glyphs });
      const above = band.glyphs.filter((g) => (g.ink.y0 + g.ink.y1) / 2 < y);
      const below = band.glyphs.filter((g) => (g.ink.y0 + g.ink.y1) / 2 >= y);
      return [part(above), ...splitTouching(part(below), rules)];
    }
  }
  return [band];
}

function toLine(band: Band, rules: readonly Rule[]): Line {
  const box = boundsOf(band.glyphs.map((g) => g.ink));
  const letters = [...band.glyphs].sort((a, b) => a.x - b.x || a.baseline - b.baseline);
  const counts = new Map<string, { size: number; baseline: number; weight: number }>();
  let [last, entry] = [
    letters[0] as Glyph,
    undefined as { size: number; baseline: number; weight: number } | undefined,
  ];
  for (const g of letters) {
    if (g.role !== 'plain' || g.font.family === 'extension') continue;
    // neighbours mostly agree, and numbers are slow to write
    if (!entry || g.size !== last.size || g.baseline !== last.baseline) {
      const key = `${g.size.toFixed(1)}|${g.baseline.toFixed(0)}`;
      entry = counts.get(key) ?? { size: g.size, baseline: g.baseline, weight: 0 };
      counts.set(key, entry);
      last = g;
    }
    const isProse = g.font.family === 'none';
    entry.weight += (isProse ? 2 : 1) * g.size * g.size;
  }
  const main = [...counts.values()].sort((a, b) => b.weight - a.weight)[0];
  const size = main?.size ?? (letters[0] as Glyph).size;
  const frames = findFrames(rules);
  const isInside = (frame: Box) => frame.y0 < (box.y0 + box.y1) / 2 && frame.y1 > (box.y0 + box.y1) / 2;
  const elsewhere = new Set(frames.flatMap((frame) => (isInside(frame.box) ? [] : frame.sides)));
  const inside = rules.filter(
    (r) =>
      !elsewhere.has(r) &&
      r.x0 > box.x0 - size &&
      r.x1 < box.x1 + size &&
      r.y0 > box.y0 - 0.5 * size &&
      r.y1 < box.y1 + 0.5 * size,
  );
  const baseline = main?.baseline ?? box.y1;
  const glyphs = withUnderscores(letters, inside, baseline, size);
  return { ...box, glyphs, rules: inside, baseline, size };
}

/** Words of a line separated by spaces, for guessing the language. */
export function textOf(line: Line): string {
  let out = '';
  let end = Number.NaN;
  for (const g of line.glyphs) {
    if (g.font.family !== 'none') continue;
    if (g.x - end > 0.15 * g.size) out += ' ';
    out += g.text;
    end = g.x + g.width;
  }
  return out;
}

/** OT1 fonts have no underscore: \_ is a short rule on the baseline between letters. */
function withUnderscores(letters: Glyph[], rules: readonly Rule[], baseline: number, size: number): Glyph[] {
  const made: Glyph[] = [];
  for (const r of rules) {
    const width = r.x1 - r.x0;
    const isLow = r.y0 > baseline - 0.1 * size && r.y1 < baseline + 0.2 * size;
    if (!r.horizontal || width < 0.2 * size || width > 0.6 * size || !isLow) continue;
    if (letters.some((g) => overlapX(g.ink, r) > 0.15 * size)) continue;
    const neighbour =
      letters.find((g) => g.font.family === 'none' && Math.abs(g.x - r.x1) < 3 * size) ?? letters[0];
    if (!neighbour) continue;
    const ink = { x0: r.x0, y0: r.y0, x1: r.x1, y1: r.y1 };
    made.push({ text: '_', role: 'plain', font: neighbour.font, size, x: r.x0, baseline, width, ink });
  }
  return made.length === 0
    ? letters
    : [...letters, ...made].sort((a, b) => a.x - b.x || a.baseline - b.baseline);
}
