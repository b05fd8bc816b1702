/** Marks dots and short lines over letters as accents. */
import type { Glyph, Rule } from '../../../text-layer/model.ts';
import { fontOf } from './sign-faces.ts';

/** A glyph with the model's guesses. */
export interface PlacedGlyph extends Glyph {
  probability: number;
}

export interface PlacedSigns {
  glyphs: PlacedGlyph[];
  rules: Rule[];
}

/** Text size in the parser's points. */
const textSize = 10;

/** A dot, two dots or a short line directly over a letter is its accent. */
export function markAccents(glyphs: PlacedGlyph[], rules: Rule[]): PlacedSigns {
  const isOver = (box: Glyph['ink'], letter: Glyph) =>
    /^[\p{L}∂]$/u.test(letter.text) &&
    letter.ink.y0 - box.y1 > -0.05 * letter.size &&
    letter.ink.y0 - box.y1 < 0.35 * letter.size &&
    (box.x0 + box.x1) / 2 > letter.ink.x0 - 0.05 * letter.size &&
    (box.x0 + box.x1) / 2 < letter.ink.x1 + 0.15 * letter.size;
  const made: PlacedGlyph[] = [];
  const gone = new Set<unknown>();
  for (const dot of glyphs) {
    if (gone.has(dot) || !/^[.·˙]$/.test(dot.text)) continue;
    const twin = glyphs.find(
      (other) =>
        other !== dot &&
        /^[.·˙]$/.test(other.text) &&
        Math.abs(other.ink.y0 - dot.ink.y0) < 0.6 &&
        other.ink.x0 > dot.ink.x1 &&
        other.ink.x0 - dot.ink.x1 < 2.6,
    );
    const box = twin ? { ...dot.ink, x1: twin.ink.x1 } : dot.ink;
    const letter = glyphs.find((other) => isOver(box, other));
    if (!letter) continue;
    gone.add(dot).add(twin);
    made.push(accent(twin ? '¨' : '˙', box, letter));
  }
  const kept = rules.filter((rule) => {
    const isVinculum = glyphs.some(
      ({ text, ink }) => text === '√' && Math.abs(ink.x1 - rule.x0) < 2 && Math.abs(ink.y0 - rule.y0) < 3,
    );
    if (isVinculum || rule.x1 - rule.x0 > 0.62 * textSize) return true;
    const above = glyphs.some(
      ({ ink }) => ink.y1 <= rule.y0 + 0.3 && rule.y0 - ink.y1 < 3.5 && ink.x1 > rule.x0 && ink.x0 < rule.x1,
    );
    const letter = above ? undefined : glyphs.find((other) => isOver(rule, other));
    if (letter) made.push(accent('¯', rule, letter));
    return !letter;
  });
  return { glyphs: [...glyphs.filter((glyph) => !gone.has(glyph)), ...made], rules: kept };
}

function accent(text: string, box: Glyph['ink'], letter: PlacedGlyph): PlacedGlyph {
  const ink = { x0: box.x0, y0: box.y0, x1: box.x1, y1: box.y1 };
  return {
    ...letter,
    text,
    role: 'plain',
    font: fontOf('accent', text, false),
    x: ink.x0,
    width: ink.x1 - ink.x0,
    ink,
    probability: 1,
  };
}
