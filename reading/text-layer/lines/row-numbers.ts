/** Numbers of equations that stand between two rows, as that of a split with an even number of rows does. */
import type { Glyph } from '../model.ts';
import type { Band } from './split-lines.ts';

/** The number of an equation, in its brackets. */
export const tagPattern =
  /^\(([A-Z]?\d{1,3}|[a-z])([.\-–](\d{1,3}|[a-z])){0,3}[a-z]?['′*]*\)$|^\([∗*†‡]{1,3}\)$/;

/** Groups of glyphs at the right end of a column that are such a number and have nothing else on their baseline. */
export function numbersAlone(glyphs: readonly Glyph[]): Glyph[][] {
  const brackets = glyphs.filter((g) => g.text === ')' && g.font.family === 'none');
  if (brackets.length === 0) return [];
  const right = Math.max(...glyphs.map((g) => g.x + g.width));
  return brackets.flatMap((close) => {
    if (close.x + close.width < right - 0.2 * close.size) return [];
    const row = glyphs.filter((g) => Math.abs(g.baseline - close.baseline) < 0.12 * close.size);
    const text = row
      .sort((a, b) => a.x - b.x)
      .map((g) => g.text)
      .join('');
    return tagPattern.test(text) ? [row] : [];
  });
}

/** A number that reaches into two bands does not make one line of them: it is a line of its own. */
export function placeNumbers(bands: readonly Band[], numbers: readonly Glyph[][]): Band[] {
  const out = [...bands];
  for (const glyphs of numbers) {
    const [y0, y1] = [Math.min(...glyphs.map((g) => g.ink.y0)), Math.max(...glyphs.map((g) => g.ink.y1))];
    const near = out.filter((band) => band.y0 < y1 && band.y1 > y0);
    const [only] = near;
    if (near.length === 1 && only) {
      out[out.indexOf(only)] = {
        y0: Math.min(only.y0, y0),
        y1: Math.max(only.y1, y1),
        glyphs: [...only.glyphs, ...glyphs],
      };
    } else out.push({ y0, y1, glyphs });
  }
  return out.sort((a, b) => a.y0 - b.y0);
}
