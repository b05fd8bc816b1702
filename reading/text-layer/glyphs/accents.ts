/** Accents that old fonts (OT1) set as glyphs of their own, put back on their letters. */
import { centreX, type Glyph } from '../model.ts';

const combining: Record<string, string> = {
  '´': '\u0301', '`': '\u0300', 'ˆ': '\u0302', '^': '\u0302', '˜': '\u0303', '¨': '\u0308', '¯': '\u0304', '˘': '\u0306',
  'ˇ': '\u030c', '˚': '\u030a', '˝': '\u030b', '˙': '\u0307', '¸': '\u0327', '˛': '\u0328',
}; // biome-ignore format: a table

/** Private-use characters that represent TeX's logos until text is written. */
export const latexLogo = '\u{E0A0}';
export const texLogo = '\u{E0A1}';

/** The logos consist of raised and lowered letters: they are joined into one. */
export function composeLogos(glyphs: readonly Glyph[]): Glyph[] {
  const out: Glyph[] = [];
  for (let i = 0; i < glyphs.length; i++) {
    const at = (k: number) => glyphs[i + k];
    const g = glyphs[i] as Glyph;
    if (g.text !== 'L' && g.text !== 'T') {
      out.push(g);
      continue;
    }
    const spells = (word: string) =>
      [...word].every((c, k) => at(k)?.text === c && at(k)?.font.family === 'none');
    const size = g.size;
    if (
      spells('LATEX') &&
      (at(1)?.size ?? size) < 0.85 * size &&
      (at(3)?.baseline ?? 0) > g.baseline + 0.1 * size
    ) {
      out.push({ ...g, text: latexLogo, width: (at(4)?.x ?? g.x) + (at(4)?.width ?? 0) - g.x });
      i += 4;
    } else if (spells('TEX') && (at(1)?.baseline ?? 0) > g.baseline + 0.1 * size) {
      out.push({ ...g, text: texLogo, width: (at(2)?.x ?? g.x) + (at(2)?.width ?? 0) - g.x });
      i += 2;
    } else out.push(g);
  }
  return out;
}

/** Returns the glyphs (sorted by x), with each accent and its letter composed into one glyph, but for those of mathematics. */
export function composeAccents(glyphs: readonly Glyph[]): Glyph[] {
  const out: Glyph[] = [];
  const used = new Set<Glyph>();
  for (const glyph of glyphs) {
    const mark = markOf(glyph);
    const letter = mark === null ? undefined : letterUnder(glyph, glyphs, used);
    if (!letter || isOfMathematics(glyph, letter, glyphs)) continue;
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

/** Accents that no letter of the text took, with their letters: \dot{\mathbf{x}}; and those on letters of mathematics. */
export function looseAccents(glyphs: readonly Glyph[]): Set<Glyph> {
  const loose = new Set<Glyph>();
  for (const glyph of glyphs) {
    const letter = markOf(glyph) === null ? undefined : letterUnder(glyph, glyphs, loose, true);
    if (letter) loose.add(glyph).add(letter);
  }
  return loose;
}

function markOf(glyph: Glyph): string | null {
  return glyph.font.family === 'none' && !glyph.font.mono ? (combining[glyph.text] ?? null) : null;
}

function letterUnder(
  accent: Glyph,
  glyphs: readonly Glyph[],
  used: ReadonlySet<Glyph>,
  mayBeMath = false,
): Glyph | undefined {
  const isBelow = /^[¸˛]$/.test(accent.text);
  const centre = centreX(accent.ink);
  return glyphs.find(
    (g) =>
      g !== accent &&
      !used.has(g) &&
      /^[\p{L}]$/u.test(g.text) &&
      (mayBeMath || g.font.family === 'none') &&
      Math.abs(g.size - accent.size) < 0.1 &&
      Math.abs(centreX(g.ink) - centre) < 0.22 * g.size &&
      (isBelow || accent.ink.y1 <= g.ink.y0 + 0.3 * g.size),
  );
}

/** A letter by itself with a dot, a bar or a hat, or a bold one with any of those and two dots or a tilde. */
function isOfMathematics(accent: Glyph, letter: Glyph, glyphs: readonly Glyph[]): boolean {
  if (!(/^[˙¯ˆ^]$/.test(accent.text) || (letter.font.bold && /^[¨˜]$/.test(accent.text)))) return false;
  return !glyphs.some((g) => {
    if (g === letter || !/^\p{L}/u.test(g.text) || g.font.name !== letter.font.name) return false;
    const gap = g.x > letter.x ? g.x - letter.x - letter.width : letter.x - g.x - g.width;
    return Math.abs(g.baseline - letter.baseline) < 0.1 && gap < 0.12 * letter.size;
  });
}
