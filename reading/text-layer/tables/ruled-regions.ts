/** Finds tables, frames and listings: between long rules that share their ends. */
import { segmentsOf } from '../lines/columns.ts';
import { type Box, boundsOf, centreX, type Glyph, overlapX, type Rule } from '../model.ts';

export interface TableRegion {
  box: Box;
  horizontals: Rule[];
  verticals: Rule[];
  glyphs: Glyph[];
  /** A box of four rules with none inside: a frame. */
  isFrame: boolean;
}

/** Regions between long rules that share their ends. */
export function findRuledRegions(
  rules: readonly Rule[],
  glyphs: readonly Glyph[],
  bodySize: number,
): TableRegion[] {
  const long = rules.filter((r) => r.horizontal && r.x1 - r.x0 > 2.2 * bodySize).sort((a, b) => a.y0 - b.y0);
  const groups: Rule[][] = [];
  for (const rule of long) {
    const group = groups.find((g) => {
      const last = g[g.length - 1] as Rule;
      return (
        Math.abs((g[0] as Rule).x0 - rule.x0) < 1.5 &&
        Math.abs((g[0] as Rule).x1 - rule.x1) < 1.5 &&
        rule.y0 - last.y1 < 40 * bodySize &&
        isFilled(last, rule, glyphs, bodySize)
      );
    });
    if (group) group.push(rule);
    else groups.push([rule]);
  }
  const regions: TableRegion[] = [];
  for (const group of groups) {
    if (group.length < 2) continue;
    // short rules are usually fraction bars; three that share both ends belong to a small table
    const isShort = (group[0] as Rule).x1 - (group[0] as Rule).x0 < 5 * bodySize;
    if (isShort && group.length < 3) continue;
    const box = boundsOf(group);
    const inner = rules.filter(
      (r) => r.x0 > box.x0 - 1 && r.x1 < box.x1 + 1 && r.y0 > box.y0 - 1 && r.y1 < box.y1 + 1,
    );
    const inside = glyphs.filter(
      (g) => g.baseline > box.y0 && g.baseline < box.y1 + 0.1 && g.x > box.x0 - 1 && g.x < box.x1 + 1,
    );
    if (inside.length === 0) continue;
    const verticals = inner.filter((r) => !r.horizontal && r.y1 - r.y0 > 0.6 * bodySize);
    const merged = mergeRules(group);
    if (merged.length < 2) continue;
    const betweenColumns = verticals.filter(
      (v) => v.x0 > box.x0 + 2 && v.x1 < box.x1 - 2 && reach(v, verticals) > 0.4 * (box.y1 - box.y0),
    );
    regions.push({
      box,
      horizontals: [
        ...inner.filter((r) => r.horizontal && !group.includes(r) && r.x1 - r.x0 > 1),
        ...merged,
      ].sort((a, b) => a.y0 - b.y0),
      verticals,
      glyphs: inside,
      isFrame: merged.length === 2 && betweenColumns.length === 0 && verticals.some((v) => v.x0 < box.x0 + 2),
    });
  }
  return regions.filter(
    (r) =>
      !regions.some(
        (o) =>
          o !== r &&
          o.box.y0 <= r.box.y0 &&
          o.box.y1 >= r.box.y1 &&
          overlapX(o.box, r.box) > 0 &&
          o.box.y1 - o.box.y0 > r.box.y1 - r.box.y0,
      ),
  );
}

/** Something is printed between two rules that are not fraction bars (these have parts as wide as themselves on both sides). */
function isFilled(upper: Rule, lower: Rule, glyphs: readonly Glyph[], bodySize: number): boolean {
  if (lower.y0 - upper.y1 < 0.3 * bodySize) return true;
  const between = glyphs.filter(
    (g) =>
      g.baseline > upper.y0 &&
      g.baseline < lower.y1 &&
      centreX(g.ink) > upper.x0 &&
      centreX(g.ink) < upper.x1,
  );
  if (between.length === 0 || hasFullLine(between, upper)) return false;
  // no band of prose wider than the rules may cross
  return !glyphs.some(
    (g) =>
      g.baseline > upper.y1 &&
      g.ink.y1 < lower.y0 &&
      (g.ink.x1 < upper.x0 - 1 || g.ink.x0 > upper.x1 + 1) &&
      between.some(
        (b) => Math.abs(b.baseline - g.baseline) < 0.5 && Math.min(Math.abs(b.x - g.x), 99) < 1.2 * g.size,
      ),
  );
}

/** A line of a paragraph from one end of the rule to the other: what is below it is another table or listing. */
function hasFullLine(glyphs: readonly Glyph[], rule: Rule): boolean {
  return segmentsOf(glyphs, 0.95).some(
    ({ x0, x1, glyphs: own }) =>
      Math.abs(x0 - rule.x0) < 1 && Math.abs(x1 - rule.x1) < 1 && own.some((g) => !g.font.mono),
  );
}

/** How much of a region's height the rules at this x cover: a box around a word is not the edge of a column. */
function reach(rule: Rule, verticals: readonly Rule[]): number {
  return verticals.filter((v) => Math.abs(v.x0 - rule.x0) < 2).reduce((sum, v) => sum + v.y1 - v.y0, 0);
}

/** Double rules count as one. */
function mergeRules(rules: readonly Rule[]): Rule[] {
  const out: Rule[] = [];
  for (const rule of rules) {
    const last = out[out.length - 1];
    if (last && rule.y0 - last.y1 < 3) continue;
    out.push(rule);
  }
  return out;
}
