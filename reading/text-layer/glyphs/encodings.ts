/**
 * Characters of TeX's own font encodings, by code. The extension fonts (OMX) have no sensible Unicode in most PDFs,
 * so their codes are read here; the layout is that of Computer Modern's cmex10, which Latin Modern shares.
 */
import type { GlyphRole } from '../model.ts';

export interface Decoded {
  text: string;
  role: GlyphRole;
}

const extension = new Map<number, Decoded>();

function add(role: GlyphRole, text: string, ...codes: number[]): void {
  for (const code of codes) extension.set(code, { text, role });
}

// Whole delimiters in their four larger sizes (and the two-character growth from 16, 18, 32 …).
add('plain', '(', 0, 16, 18, 32);
add('plain', ')', 1, 17, 19, 33);
add('plain', '[', 2, 104, 20, 34);
add('plain', ']', 3, 105, 21, 35);
add('plain', '⌊', 4, 106, 22, 36);
add('plain', '⌋', 5, 107, 23, 37);
add('plain', '⌈', 6, 108, 24, 38);
add('plain', '⌉', 7, 109, 25, 39);
add('plain', '{', 8, 110, 26, 40);
add('plain', '}', 9, 111, 27, 41);
add('plain', '⟨', 10, 68, 28, 42);
add('plain', '⟩', 11, 69, 29, 43);
add('plain', '/', 14, 46, 30, 44);
add('plain', '\\', 15, 47, 31, 45);
// Pieces.
add('piece', '|', 12);
add('piece', '‖', 13);
add('piece', '(', 48, 64, 66);
add('piece', ')', 49, 65, 67);
add('piece', '[', 50, 52, 54);
add('piece', ']', 51, 53, 55);
add('piece', '{', 56, 58, 60);
add('piece', '}', 57, 59, 61);
add('piece', '{', 62);
add('piece', '↕', 63);
add('piece', '↑', 120);
add('piece', '↓', 121);
// Operators: text size, then display size.
const operators: [string, number, number][] = [
  ['⊔', 70, 71], ['∮', 72, 73], ['⨀', 74, 75], ['⨁', 76, 77], ['⨂', 78, 79],
  ['∑', 80, 88], ['∏', 81, 89], ['∫', 82, 90], ['⋃', 83, 91], ['⋂', 84, 92], ['⨄', 85, 93],
  ['⋀', 86, 94], ['⋁', 87, 95], ['∐', 96, 97],
]; // biome-ignore format: a table
for (const [text, small, large] of operators) {
  add('operator-text', text, small);
  add('operator-display', text, large);
}
// Wide accents, radicals, horizontal braces.
add('plain', '̂', 98, 99, 100);
add('plain', '̃', 101, 102, 103);
add('plain', '√', 112, 113, 114, 115, 116);
add('piece', '√', 117, 118);
add('brace-over', '⏞', 122, 123);
add('brace-under', '⏟', 124, 125);

/** Character of a code in an OMX font; null where the font leaves a hole. */
export function decodeExtension(code: number): Decoded | null {
  return extension.get(code) ?? null;
}

/** The integrals of esint.sty, in text size, each before that of display size. */
const integrals = new Map([[1, '∫'], [3, '∬'], [5, '∭'], [7, '⨌'], [11, '∮'], [13, '∯']]); // biome-ignore format: a table

export function decodeIntegral(code: number): Decoded | null {
  const isLarge = code % 2 === 0;
  const text = integrals.get(isLarge ? code - 1 : code);
  return text === undefined ? null : { text, role: isLarge ? 'operator-display' : 'operator-text' };
}

const unicodePieces = new Map<string, string>([
  ['⎛', '('], ['⎜', '('], ['⎝', '('], ['⎞', ')'], ['⎟', ')'], ['⎠', ')'],
  ['⎡', '['], ['⎢', '['], ['⎣', '['], ['⎤', ']'], ['⎥', ']'], ['⎦', ']'],
  ['⎧', '{'], ['⎨', '{'], ['⎩', '{'], ['⎪', '{'], ['⎫', '}'], ['⎬', '}'], ['⎭', '}'],
  ['⎮', '∫'], ['⌠', '∫'], ['⌡', '∫'], ['⎷', '√'], ['⏐', '|'],
]); // biome-ignore format: a table

/** Pieces that Unicode itself names (OpenType maths fonts, Word). */
export function decodePiece(text: string): Decoded | null {
  const whole = unicodePieces.get(text);
  return whole ? { text: whole, role: 'piece' } : null;
}

const pieceNames: [RegExp, string][] = [
  [/^parenleft(tp|bt|ex)$/, '('],
  [/^parenright(tp|bt|ex)$/, ')'],
  [/^bracketleft(tp|bt|ex)$/, '['],
  [/^bracketright(tp|bt|ex)$/, ']'],
  [/^braceleft(tp|bt|mid)$|^braceex$/, '{'],
  [/^braceright(tp|bt|mid)$/, '}'],
  [/^vextendsingle$/, '|'],
  [/^vextenddouble$/, '‖'],
  [/^radical(vertex|bt|tp)$/, '√'],
];

/** Pieces by glyph name, for extension fonts of another layout. */
export function decodePieceName(name: string): Decoded | null {
  const found = pieceNames.find(([pattern]) => pattern.test(name));
  return found ? { text: found[1], role: 'piece' } : null;
}
