/** Which lines are displayed formulas, and their numbers. */
import { composeAccents } from '../glyphs/accents.ts';
import type { Line } from '../lines/lines.ts';
import { tagPattern } from '../lines/row-numbers.ts';
import { findSymbol, functionNames } from '../math/symbols.ts';
import { boundsOf, type Glyph, type Rule } from '../model.ts';

export interface ColumnEdges {
  left: number;
  right: number;
  /** The centre of the page, for a page of one column. */
  middle?: number;
}

/** \multlinegap, in points. */
export const multlineGap = 10;

export interface DisplayLine {
  line: Line;
  glyphs: Glyph[];
  /** Equation number as printed, without parentheses. */
  tag: string | null;
  /** Space above it, in ems, beyond what TeX leaves between two such lines; 0 if unknown. */
  room: number;
  /** The sign of a proof's end stands beside it. */
  endsProof?: boolean;
  /** Space beside the formula up to the edges of its column, in points. */
  sides?: { left: number; right: number };
}

/** The display as it is put beside others. */
export function placeDisplay(line: Line, edges: ColumnEdges, room: number): DisplayLine {
  const display = splitTag(line, edges);
  const left = Math.min(...display.glyphs.map((g) => g.x)) - edges.left;
  const right = edges.right - Math.max(...display.glyphs.map((g) => g.x + g.width));
  return { ...display, room, sides: { left, right } };
}

/** Separates an equation number at the right (or left) edge from its formula. */
export function splitTag(line: Line, edges: ColumnEdges): DisplayLine {
  const onBase = line.glyphs.filter(
    (g) => Math.abs(g.size - line.size) < 0.12 * line.size || g.font.family === 'none',
  );
  const sorted = [...onBase].sort((a, b) => a.x - b.x);
  const last = sorted[sorted.length - 1];
  if (
    last?.text === ')' &&
    last.x + last.width > edges.right - 1.2 * line.size &&
    last.font.family === 'none'
  ) {
    const tail: Glyph[] = [];
    for (let i = sorted.length - 1; i >= 0; i--) {
      const g = sorted[i] as Glyph;
      if (Math.abs(g.baseline - last.baseline) > 0.5) continue;
      tail.unshift(g);
      if (g.text === '(') break;
    }
    const text = tail.map((g) => g.text).join('');
    const start = tail[0]?.x ?? 0;
    const rest = line.glyphs.filter((g) => !tail.includes(g));
    const restEnd = Math.max(0, ...rest.map((g) => g.x + g.width));
    // in a narrow column a long formula comes close to its number
    const least = proseWords(rest, line).length === 0 && rest.some(isMath) ? 0.4 : 0.9;
    if (tagPattern.test(text) && rest.length > 0 && start - restEnd > least * line.size) {
      return { line, glyphs: rest, tag: text.slice(1, -1).replace('–', '-'), room: 0 };
    }
  }
  return splitLeftTag(line, sorted, edges) ?? { line, glyphs: line.glyphs, tag: null, room: 0 };
}

function isMath(g: Glyph): boolean {
  return g.font.family !== 'none';
}

/** A number at the left edge (leqno) is far from a formula in the middle of the column. */
function splitLeftTag(line: Line, sorted: readonly Glyph[], edges: ColumnEdges): DisplayLine | null {
  const first = sorted[0];
  if (first?.text !== '(' || first.x > edges.left + 0.5 * line.size) return null;
  const end = sorted.findIndex((g) => g.text === ')');
  const head = sorted.slice(0, end + 1);
  if (end < 0 || !tagPattern.test(head.map((g) => g.text).join(''))) return null;
  const last = head[end] as Glyph;
  const rest = line.glyphs.filter((g) => !head.includes(g));
  if (rest.length === 0 || !rest.some(isMath) || proseWords(rest, line).length > 1) return null;
  const box = boundsOf(rest.map((g) => g.ink));
  const gap = box.x0 - last.x - last.width;
  const slackRight = edges.right - box.x1;
  // a wide formula is centred beside its number; no item of a list begins five ems after its label
  const width = edges.right - edges.left;
  const isCentred = [box.x0 - edges.left, gap].some((slack) => Math.abs(slack - slackRight) < 0.05 * width);
  const isExact = Math.abs(gap - slackRight) < 0.15 * line.size;
  return gap > 5 * line.size || (gap > 2 * line.size && isCentred) || (gap > 0.9 * line.size && isExact)
    ? {
        line,
        glyphs: rest,
        tag: head
          .map((g) => g.text)
          .join('')
          .slice(1, -1),
        room: 0,
      }
    : null;
}

/** A number that did not fit next to its formula and is set below it, at the right edge. */
export function loneTag(line: Line, edges: ColumnEdges): string | null {
  const isAtEdge = line.x1 > edges.right - 1.2 * line.size && line.x0 > edges.right - 6 * line.size;
  if (!isAtEdge) return null;
  const text = [...line.glyphs]
    .sort((a, b) => a.x - b.x)
    .map((g) => g.text)
    .join('');
  return tagPattern.test(text) ? text.slice(1, -1).replace('–', '-') : null;
}

/** Space between the baselines of two neighbouring lines, in ems, beyond TeX's default. */
export function roomBetween(upper: Line, lower: Line, leading: number): number {
  const touching = upper.y1 - upper.baseline + lower.baseline - lower.y0 + 0.1 * lower.size;
  return (lower.baseline - upper.baseline - Math.max(leading, touching)) / lower.size;
}

/** Least space around a line that stands apart, in ems: \jot, between the rows of one display, is 3 pt, a quarter of an em at 12 pt. */
const leastRoom = 0.22;

/**
 * More space above and below a line than between those of a paragraph. TeX leaves none above a display that begins to
 * the right of where the line above ends.
 */
export function standsApart(line: Line, above: Line | null, below: Line | null, leading: number): boolean {
  const isBehind = above !== null && above.x1 + 1.9 * line.size < line.x0;
  return (
    (!above || isBehind || roomBetween(above, line, leading) > leastRoom) &&
    (!below || roomBetween(line, below, leading) > leastRoom)
  );
}

/**
 * Whether a line is a displayed formula rather than prose with formulas in it. `isSetOff`: it stands apart; then also
 * a row of words is one if its relation, or its end, stands exactly below or above that of the display `above` or of
 * the line below.
 */
export function isDisplay(
  line: Line,
  edges: ColumnEdges,
  itemLeft: number,
  isSetOff: boolean,
  [above, below, ...following]: readonly (Line | null | undefined)[] = [],
): boolean {
  const isRowOf = (other: Line) => areAligned(line, other) || endTogether(line, other, edges);
  if (isSetOff && above && isRowOf(above)) return true;
  if (isSetOff && below && isRowOf(below) && isDisplay(below, edges, itemLeft, true, [null, ...following]))
    return true;
  const { glyphs, tag } = splitTag(line, edges);
  const composed = composeAccents(glyphs);
  const box = boundsOf(composed.map((g) => g.ink));
  const isOnlyTag = composed.length === 0;
  if (isOnlyTag) return false;
  const left = Math.max(edges.left, itemLeft);
  const indent = box.x0 - left;
  const width = edges.right - edges.left;
  if (isVerticalDots(composed)) return true;
  const mathGlyphs = composed.filter((g) => g.font.family !== 'none' && g.text !== '•').length;
  // a font without small capitals sets smaller capitals on the baseline
  const scripts = composed.filter(
    (g) => g.size < 0.85 * line.size && Math.abs(g.baseline - line.baseline) > 0.03 * line.size,
  ).length;
  if (mathGlyphs + scripts === 0 && !/[=+]/.test(composed.map((g) => g.text).join(''))) return false;
  const words = proseWords(composed, line);
  const letters = words.reduce((n, w) => n + w.length, 0);
  const isIndented = indent > 0.9 * line.size;
  const slackLeft = box.x0 - left;
  const slackRight = edges.right - box.x1;
  const isMidPage =
    edges.middle !== undefined && Math.abs((box.x0 + box.x1) / 2 - edges.middle) < 0.015 * width;
  const isCentred =
    (isMidPage && slackLeft > 0.08 * width) ||
    Math.abs(slackLeft - slackRight) < 0.09 * width ||
    Math.abs(box.x0 - edges.left - slackRight) < 0.06 * width;
  if (tag !== null && letters <= 0.5 * composed.length) return true;
  const isExact = Math.abs(slackLeft - slackRight) < 0.02 * width || isMidPage;
  const states =
    composed.some((g) => isMath(g) || /[=<>]/.test(g.text)) &&
    /[=<>≤≥∈→⟶⇒⟺∣|{}+:−]/u.test(textOfGlyphs(composed));
  if (isSetOff && isExact && slackLeft > 0.06 * width && states && mathGlyphs > 0) return true;
  // as wide as the column or wider: cannot be centred in it. A paragraph does not reach an em beyond
  const isFull = box.x1 - box.x0 > 0.9 * (edges.right - left);
  const isBeyond = slackRight < -line.size;
  const mostLetters = isBeyond ? 0.35 : mathGlyphs > 0.5 * composed.length ? 0.25 : 0.15;
  if (
    isSetOff &&
    isFull &&
    (states || letters === 0) &&
    letters < mostLetters * composed.length &&
    mathGlyphs > (letters === 0 || isBeyond ? 0.2 : 0.35) * composed.length
  )
    return true;
  // the first row of a multline
  const isFirstRow = Math.abs(indent - multlineGap) < 1.5 && letters === 0;
  if (isSetOff && isFirstRow && states && mathGlyphs > 0.5 * composed.length) return true;
  // a further row of an aligned formula
  const beginsWithRelation = /^[=≤≥<>≈≡∼⊂⊆⊃⊇]$/.test(composed[0]?.text ?? '');
  if (beginsWithRelation && indent > 2 * line.size && mathGlyphs >= 3 && letters <= 0.5 * composed.length)
    return true;
  // as close to its neighbours as the lines of a paragraph, and begins where one may or has words
  if (!isSetOff && !isExact && (letters > 0 || indent < 2.5 * line.size)) return false;
  // a centred line with some mathematics may contain much text ("for all z in D").
  const mayHoldText = isCentred && slackLeft > 0.07 * width && mathGlyphs >= 3;
  const isLarge = composed.some((g) => g.role === 'operator-display') || box.y1 - box.y0 > 1.9 * line.size;
  const maxText = isLarge ? 0.8 : 0.66;
  if (letters > 0.34 * composed.length && !(mayHoldText && letters <= maxText * composed.length))
    return false;
  if (/^(\(?([a-z]|[ivx]+|\d+)[.)]|•|–|-|∗)$/.test(firstWord(composed, line.size))) return false;
  if (isCentred && slackLeft > 0.04 * width) return true;
  // the first row of wide aligned ones begins near the edge
  if (isSetOff && letters === 0 && states && indent > 0.3 * line.size) return true;
  const isContinuation = letters === 0 && /^[=≤≥<>≈≡∼+−]$/.test(composed[0]?.text ?? '');
  return (
    isIndented &&
    letters <= 0.18 * composed.length &&
    ((mathGlyphs + scripts) / composed.length > 0.3 || isContinuation)
  );
}

/** \nulldelimiterspace, in points: TeX leaves it on either side of a fraction. */
const besideFraction = 1.2;

/** Where a row ends for TeX. */
export function endOfRow(glyphs: readonly Glyph[], rules: readonly Rule[]): number {
  const end = Math.max(...glyphs.map((g) => g.x + g.width));
  const isBar = (r: Rule) =>
    r.horizontal &&
    r.x1 > end - 0.5 &&
    [-1, 1].every((side) => glyphs.some((g) => side * (g.baseline - r.y0) > 2 && g.ink.x0 > r.x0 - 1));
  return rules.some(isBar) ? end + besideFraction : end;
}

/** An align without & sets its rows flush right, away from the column's edges. */
function endTogether(line: Line, other: Line, edges: ColumnEdges): boolean {
  const end = endOfRow(line.glyphs, line.rules);
  return (
    Math.abs(end - endOfRow(other.glyphs, other.rules)) < 0.1 &&
    Math.abs(line.x0 - other.x0) > 0.5 * line.size &&
    end < edges.right - 2 * line.size &&
    Math.min(line.x0, other.x0) > edges.left + 2 * line.size
  );
}

/** Whether the first relation of both stands at one place. */
export function areAligned(...lines: readonly Pick<Line, 'glyphs'>[]): boolean {
  const [upper, lower] = lines.map(({ glyphs }) =>
    [...glyphs].sort((a, b) => a.x - b.x).find(({ text }) => findSymbol(text)?.atom === 'rel'),
  );
  return upper !== undefined && lower !== undefined && Math.abs(upper.x - lower.x) < 0.1;
}

/** A formula that begins like a list item: with its own number at the margin, or with one in the middle of the column. */
export function isShown(line: Line, edges: ColumnEdges, isSetOff: boolean): boolean {
  if (splitTag(line, edges).tag !== null) return true;
  const left = line.x0 - edges.left;
  const width = edges.right - edges.left;
  return isSetOff && left > 0.15 * width && Math.abs(left - (edges.right - line.x1)) < 0.03 * width;
}

/** \vdots alone on its row: three points above each other. */
export function isVerticalDots(glyphs: readonly Glyph[]): boolean {
  const [first] = glyphs;
  return (
    first !== undefined &&
    glyphs.length === 3 &&
    glyphs.every((g) => g.text === '.' && Math.abs(g.x - first.x) < 0.5) &&
    new Set(glyphs.map((g) => Math.round(g.baseline))).size === 3
  );
}

function textOfGlyphs(glyphs: readonly Glyph[]): string {
  return glyphs.map((g) => g.text).join('');
}

function firstWord(glyphs: readonly Glyph[], size: number): string {
  let text = '';
  let end = glyphs[0]?.x ?? 0;
  if (glyphs[0]?.font.family === 'extension') return '';
  for (const g of glyphs) {
    if (g.x - end > 0.17 * size) break;
    text += g.text;
    end = g.x + g.width;
  }
  return text;
}

/** Words of a text face with two letters or more, except function names. */
export function proseWords(glyphs: readonly Glyph[], line: Line): string[] {
  const words: string[] = [];
  let word = '';
  let end = Number.NEGATIVE_INFINITY;
  const flush = () => {
    if (
      word.length >= 2 &&
      !/^([A-Z][a-z]?){2,}$/.test(word) &&
      !functionNames.has(word) &&
      !/^(mod|Var|Cov|tr|rank|id|sgn|Re|Im|div|rot|curl|grad)$/.test(word)
    )
      words.push(word);
    word = '';
  };
  for (const g of glyphs) {
    if (g.font.family !== 'none' || !/^\p{L}+$/u.test(g.text) || g.size < 0.85 * line.size) {
      // a script right after a capital is a charge or a number of atoms; a limit stands below its word's letters
      if (g.size < 0.85 * line.size) word = /^[A-Z][a-z]?$/.test(word) ? '' : word;
      else if (g.font.family === 'none') flush();
      continue;
    }
    if (g.x - end > 0.16 * g.size) flush();
    word += g.text;
    end = g.x + g.width;
  }
  flush();
  return words;
}

/** A centred line, indented on both sides. */
export function isCentred(line: Line, edges: ColumnEdges): boolean {
  const left = line.x0 - edges.left;
  const right = edges.right - line.x1;
  const width = edges.right - edges.left;
  return left > 0.06 * width && Math.abs(left - right) < 0.02 * width + 2;
}
