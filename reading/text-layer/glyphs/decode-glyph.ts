/** Finds the character of a glyph in the PDF. */

import type { FontFace, GlyphRole } from '../model.ts';
import { findAmsSign } from './ams-signs.ts';
import { decodeExtension, decodeIntegral, decodePiece, decodePieceName } from './encodings.ts';

/** A glyph and a font as pdf.js describes them. */
export interface PdfGlyph {
  originalCharCode: number;
  fontChar: string;
  unicode: string;
  width: number;
  isSpace: boolean;
}

export interface PdfFont {
  name: string;
  loadedName: string;
  fontMatrix?: number[];
  isType3Font?: boolean;
  vertical?: boolean;
  differences?: (string | undefined)[];
}

/** Null if the character is unknown. */
export function decodeGlyph(
  glyph: PdfGlyph,
  font: PdfFont,
  face: FontFace,
): { text: string; role: GlyphRole } | null {
  const code = glyph.originalCharCode;
  if (face.family === 'extension' && /^(CMEX|LMMathExtension|PLMathExtension)/i.test(face.name))
    return decodeExtension(code);
  if (face.name.startsWith('esint')) return decodeIntegral(code);
  // amssymb's \widehat and \widetilde over three letters and more
  if (/^MSBM/.test(face.name) && code >= 0x5b && code <= 0x5e)
    return { text: code <= 0x5c ? '\u0302' : '\u0303', role: 'plain' };
  const sign = face.family === 'ams' ? findAmsSign(face.name, code) : null;
  if (sign) return { text: sign.text, role: 'plain' };
  const name = font.differences?.[code];
  if (name) {
    const piece = decodePieceName(name);
    if (piece) return piece;
  }
  if (face.family === 'fraktur' || face.family === 'script' || face.family === 'symbols') {
    if (code >= 65 && code <= 90) return { text: String.fromCharCode(code), role: 'plain' };
  }
  // Polish Computer Modern has the names of its two letters phi swapped
  if (face.name.startsWith('PLMathItalic') && (code === 30 || code === 39))
    return { text: code === 30 ? 'ϕ' : 'φ', role: 'plain' };
  if (face.family === 'symbols' && code === 55) return { text: '\u{E037}', role: 'plain' };
  let text = glyph.unicode;
  // Adobe's Symbol names its letters phi the other way round
  if (/^(?:StandardSym|Symbol)/.test(face.name)) text = { φ: 'ϕ', ϕ: 'φ' }[text] ?? text;
  const piece = decodePiece(text);
  if (piece) return piece;
  if (text.length === 0) return glyph.isSpace ? { text: ' ', role: 'plain' } : null;
  const first = text.codePointAt(0) as number;
  if (first < 32 && !glyph.isSpace) return null;
  if (first === 0xfffd || (first >= 0xe000 && first <= 0xf8ff)) return null;
  if (text === '⏞' || text === '︷') return { text: '⏞', role: 'brace-over' };
  if (text === '⏟' || text === '︸') return { text: '⏟', role: 'brace-under' };
  if (first >= 0xfb00 && first <= 0xfb06) text = text.normalize('NFKD');
  return { text: text.normalize('NFC'), role: 'plain' };
}
