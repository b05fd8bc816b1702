/** Accents that old fonts (OT1) set as glyphs of their own, put back on their letters. */
import { centreX, type Glyph } from './model.ts';

const combining: Record<string, string> = {
  '´': '\u0301', '`': '\u0300', 'ˆ': '\u0302', '^': '\u0302', '˜': '\u0303', '¨': '\u0308', '¯': '\u0304', '˘': '\u0306',
  'ˇ': '\u030c', '˚': '\u030a', '˝': '\u030b', '˙': '\u0307', '¸': '\u0327', '˛': '\u0328',
}; // biome-ignore format: a table

/** Returns the glyphs (sorted by x) with each accent and its letter as one composed glyph. */
export function composeAccents(glyphs: readonly Glyph[]): Glyph[] {
  const out: Glyph[] = [];
  const used = new Set<Glyph>();
  for (const glyph of glyphs) {
    const mark = combining[glyph.text];
    if (mark === undefined || glyph.font.family !== 'none' || glyph.font.mono) continue;
    const centre = centreX(glyph.ink);
    const letter = glyphs.find(
      (g) =>
        g !== glyph &&
        !used.has(g) &&
        /^[\p{L}]$/u.test(g.text) &&
        g.font.family === 'none' &&
        Math.abs(g.size - glyph.size) < 0.1 &&
        Math.abs(centreX(g.ink) - centre) < 0.22 * g.size &&
        (mark === '\u0327' || mark === '\u0328' ? true : glyph.ink.y1 <= g.ink.y0 + 0.3 * g.size),
    );
    if (!letter) continue;
    const base = letter.text === 'ı' ? 'i' : letter.text === 'ȷ' ? 'j' : letter.text;
    const composed = (base + mark).normalize('NFC');
    if ([...composed].length !== 1) continue;
    used.add(glyph);
    used.add(letter);
    out.push({ ...letter, text: composed });
  }
  if (out.length === 0) return [...glyphs];
  return [...glyphs.filter((g) => !used.has(g)), ...out].sort((a, b) => a.x - b.x);
}
