/** One glyph of a formula as LaTeX: its symbol, its alphabet, its weight. */
import { markDoubt, unknownCharacter } from '../doubt.ts';
import { escapeText } from '../escape.ts';
import type { Glyph } from '../model.ts';
import type { Item, MathContext } from './items.ts';
import { findOperator, findSymbol } from './symbols.ts';

/** Words of a text face, escaped, in their own style. */
export function styledText(escaped: string, glyph: Glyph): string {
  if (glyph.font.bold) return `\\textbf{${escaped}}`;
  if (glyph.font.italic) return `\\textit{${escaped}}`;
  if (glyph.font.mono) return `\\texttt{${escaped}}`;
  if (glyph.font.sans) return `\\textsf{${escaped}}`;
  return `\\text{${escaped}}`;
}

/** A word without spaces as a name: upright, bold, sans … */
export function namedWord(text: string, glyph: Glyph): string {
  const isAscii = /^[A-Za-z]+$/.test(text);
  if (!isAscii) return styledText(escapeText(text), glyph);
  if (glyph.font.bold) return `\\mathbf{${text}}`;
  if (glyph.font.italic) return `\\mathit{${text}}`;
  if (glyph.font.mono) return `\\mathtt{${text}}`;
  if (glyph.font.sans) return `\\mathsf{${text}}`;
  return `\\mathrm{${text}}`;
}

/** One character of a formula. */
export function writeGlyph(glyph: Glyph, item: Item, context: MathContext): string {
  const { text, font } = glyph;
  if (item.atom === 'op' && findOperator(text) !== null) return findOperator(text) as string;
  if (/^[A-Z]$/.test(text)) {
    if (font.family === 'symbols') return `\\mathcal{${text}}`;
    if (font.family === 'ams' || /blackboard/i.test(font.name)) return `\\mathbb{${text}}`;
  }
  if (/^[A-Za-z]$/.test(text)) {
    if (font.family === 'fraktur') return `\\mathfrak{${text}}`;
    if (font.family === 'script') {
      context.packages.add('mathrsfs');
      return `\\mathscr{${text}}`;
    }
    if (font.family === 'letters') return font.bold ? `\\boldsymbol{${text}}` : text;
    if (font.family === 'none') return namedWord(text, glyph);
    if (font.family === 'unicode')
      return font.bold ? `\\mathbf{${text}}` : /Italic/i.test(font.name) ? text : `\\mathrm{${text}}`;
  }
  if (/^\d$/.test(text)) return font.bold && font.family === 'none' ? `\\mathbf{${text}}` : text;
  const styled = mathAlphanumeric(text);
  if (styled) return styled;
  const symbol = findSymbol(text);
  if (symbol) {
    if (symbol.latex.startsWith('\\llb') || symbol.latex.startsWith('\\rrb'))
      context.packages.add('stmaryrd');
    if (symbol.latex === '\\coloneqq') context.packages.add('mathtools');
    if (symbol.latex === '|' && item.glyph?.font.family === 'unicode' && text === '∣') return '\\mid';
    // OT1's upright Greek capitals are of the text's face
    const isOwn = font.family !== 'none' || /^[\p{Script=Greek}∆]$/u.test(text);
    return font.bold && isOwn ? `\\boldsymbol{${symbol.latex}}` : symbol.latex;
  }
  if (/^[\p{L}\p{M}\p{N}\p{P}]+$/u.test(text)) return `\\text{${escapeText(text)}}`;
  const latex = `\\text{${escapeText(text)}}`;
  return text === unknownCharacter ? latex : markDoubt(latex);
}

const alphabets: [number, number, string][] = [
  [0x1d400, 0x1d433, '\\mathbf'], [0x1d434, 0x1d467, ''], [0x1d468, 0x1d49b, '\\boldsymbol'],
  [0x1d49c, 0x1d4cf, '\\mathcal'], [0x1d4d0, 0x1d503, '\\mathcal'], [0x1d504, 0x1d537, '\\mathfrak'],
  [0x1d538, 0x1d56b, '\\mathbb'], [0x1d56c, 0x1d59f, '\\mathfrak'], [0x1d5a0, 0x1d5d3, '\\mathsf'],
  [0x1d5d4, 0x1d607, '\\mathsf'], [0x1d608, 0x1d63b, '\\mathsf'], [0x1d670, 0x1d6a3, '\\mathtt'],
  [0x1d6a8, 0x1d6e1, '\\boldsymbol'], [0x1d6e2, 0x1d71b, ''], [0x1d71c, 0x1d755, '\\boldsymbol'],
  [0x1d7ce, 0x1d7d7, '\\mathbf'], [0x1d7d8, 0x1d7e1, '\\mathbb'],
]; // biome-ignore format: a table

const letterlike: Record<string, string> = {
  ℂ: '\\mathbb{C}', ℍ: '\\mathbb{H}', ℕ: '\\mathbb{N}', ℙ: '\\mathbb{P}', ℚ: '\\mathbb{Q}', ℝ: '\\mathbb{R}', ℤ: '\\mathbb{Z}',
  ℬ: '\\mathcal{B}', ℰ: '\\mathcal{E}', ℱ: '\\mathcal{F}', ℋ: '\\mathcal{H}', ℐ: '\\mathcal{I}', ℒ: '\\mathcal{L}', ℳ: '\\mathcal{M}', ℛ: '\\mathcal{R}',
  ℭ: '\\mathfrak{C}', ℌ: '\\mathfrak{H}', ℨ: '\\mathfrak{Z}', ℎ: 'h', ⅆ: 'd', ⅇ: 'e', ⅈ: 'i',
}; // biome-ignore format: a table

/** Greek mathematical alphanumerics: \varepsilon and similar ones by position. */
const greekVariants: Record<string, string> = {
  ε: '\\varepsilon',
  ϵ: '\\epsilon',
  φ: '\\varphi',
  ϕ: '\\phi',
  θ: '\\theta',
  ϑ: '\\vartheta',
};

function mathAlphanumeric(text: string): string | null {
  if (letterlike[text]) return letterlike[text];
  const code = text.codePointAt(0) ?? 0;
  const alphabet = alphabets.find(([from, to]) => code >= from && code <= to);
  if (!alphabet) return null;
  const variant = mathGreekVariant(code);
  const plain = variant ?? text.normalize('NFKD');
  const latex = /^[A-Za-z0-9]$/.test(plain)
    ? plain
    : (greekVariants[plain] ?? findSymbol(plain)?.latex ?? plain);
  return alphabet[2] ? `${alphabet[2]}{${latex}}` : latex;
}

/** NFKD maps ϵ to ε (and similar), so the six variants are recognised by their place in the block */
function mathGreekVariant(code: number): string | null {
  for (const start of [0x1d6a8, 0x1d6e2, 0x1d71c]) {
    const offset = code - start;
    if (offset < 51 || offset > 57) continue;
    return ['∂', 'ϵ', 'ϑ', 'ϰ', 'ϕ', 'ϱ', 'ϖ'][offset - 51] ?? null;
  }
  return null;
}
