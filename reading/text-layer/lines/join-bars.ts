/** Fractions: what stands above and below a bar is one line. */
import { isSide } from '../frames.ts';
import { boundsOf, centreX, type Glyph, type Rule } from '../model.ts';
import { type Band, goesOnBeyond } from './split-lines.ts';

/** The sign of a root meets its bar. */
export function beginsBar({ ink, size }: Glyph, rule: Rule): boolean {
  return Math.abs(ink.x1 - rule.x0) < 0.25 * size && Math.abs(ink.y0 - rule.y0) < 0.3 * size;
}

export function mergeBands(bands: Band[], from: number, to: number): Band[] {
  if (from >= to) return bands;
  const group = bands.slice(from, to + 1);
  const merged: Band = {
    y0: Math.min(...group.map((b) => b.y0)),
    y1: Math.max(...group.map((b) => b.y1)),
    glyphs: group.flatMap((b) => b.glyphs),
  };
  return [...bands.slice(0, from), merged, ...bands.slice(to + 1)];
}

/** A bar with something close above and below is a fraction: its bands form one line. */
export function joinByBars(bands: Band[], rules: readonly Rule[], bodySize: number): Band[] {
  let out = bands;
  const bars = rules.filter((r) => r.horizontal && !isSide(r, rules));
  if (bars.length === 0) return out;
  const radicals = bands.flatMap((b) => b.glyphs.filter((g) => g.text === '√'));
  const braces = bands.flatMap((b) => b.glyphs.filter((g) => g.role.startsWith('brace')));
  const limit = 0.75 * bodySize;
  for (const rule of bars) {
    const near = (distance: (g: Glyph) => number, isReached: (band: Band) => boolean): number => {
      let found = -1;
      let best = limit;
      out.forEach((band, index) => {
        if (!isReached(band)) return;
        for (const g of band.glyphs) {
          const c = centreX(g.ink);
          if (c < rule.x0 - 1 || c > rule.x1 + 1) continue;
          const d = distance(g);
          if (d > -0.2 * g.size && d < best) {
            best = d;
            found = index;
          }
        }
      });
      return found;
    };
    if (radicals.some((root) => beginsBar(root, rule))) continue;
    // the shafts of horizontal braces are not fraction bars
    const isShaft = braces.some(
      (g) =>
        Math.abs(g.ink.y0 - rule.y0) < g.size &&
        (Math.abs(g.ink.x1 - rule.x0) < 1.5 || Math.abs(g.ink.x0 - rule.x1) < 1.5),
    );
    if (isShaft) continue;
    const above = near(
      (g) => rule.y0 - g.ink.y1,
      (band) => rule.y0 - band.y1 < limit,
    );
    const below = near(
      (g) => g.ink.y0 - rule.y1,
      (band) => band.y0 - rule.y1 < limit,
    );
    if (above < 0 || below < 0 || above === below) continue;
    const parts = [above, below].map((k) => (out[k] as Band).glyphs);
    const isBetween = parts.some((own) => goesOnBeyond(rule, own, bars));
    if (!isBetween && parts.some((own) => fills(own, rule, bodySize)))
      out = mergeBands(out, Math.min(above, below), Math.max(above, below));
  }
  return out;
}

/** A fraction's bar is as wide as the wider of its parts; a rule between two lines is not. */
function fills(glyphs: readonly Glyph[], rule: Rule, bodySize: number): boolean {
  const own = glyphs.filter((g) => centreX(g.ink) > rule.x0 - 1 && centreX(g.ink) < rule.x1 + 1);
  const box = boundsOf(own.map((g) => g.ink));
  return box.x0 - rule.x0 < 0.4 * bodySize && rule.x1 - box.x1 < 0.4 * bodySize;
}
