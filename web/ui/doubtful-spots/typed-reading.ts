/** Turns what somebody types for a doubtful spot into LaTeX that can replace it. */
import { escapeLatex } from '#latex/source/escape.ts';

/** Whether a spot is one formula, is within one, or is words. */
export type SpotKind = 'inline formula' | 'maths' | 'words';

const opener = /^\$(?:\\displaystyle\s)?\s*/;

export function kindOf(reading: string, isMaths: boolean): SpotKind {
  if (isMaths) return 'maths';
  return /^\$[^$]+\$$/.test(reading) ? 'inline formula' : 'words';
}

/**
 * Plain words are escaped; text with commands or formulas is LaTeX already. Text typed for a formula is one,
 * unless it is words.
 * @returns null if a brace or a formula is left open
 */
export function toReading(typed: string, reading: string, kind: SpotKind): string | null {
  const trimmed = typed.trim();
  if (kind === 'maths') {
    const inside = trimmed.replace(/^(\${1,2}|\\\(|\\\[)([\s\S]*)(?:\${1,2}|\\\)|\\\])$/, '$2').trim();
    return isClosed(inside) && !inside.includes('$') ? escapeComments(inside) : null;
  }
  if (/[$\\]/.test(trimmed) && kind === 'words') return isClosed(trimmed) ? escapeComments(trimmed) : null;
  if (kind === 'inline formula' && !trimmed.includes('$')) {
    if (/^[\p{L}'’ -]{2,}[.,;:!?]?$/u.test(trimmed) && /\p{L}{2}/u.test(trimmed)) return escapeLatex(trimmed);
    return isClosed(trimmed) ? `${opener.exec(reading)?.[0] ?? '$'}${escapeComments(trimmed)}$` : null;
  }
  if (kind === 'inline formula') return isClosed(trimmed) ? escapeComments(trimmed) : null;
  return escapeLatex(trimmed);
}

/** A comment would hide the rest of the line. */
const escapeComments = (latex: string) => latex.replace(/(?<!\\)((?:\\\\)*)([%#])/g, '$1\\$2');

/** Braces and dollars are balanced, and there is no line break. */
function isClosed(latex: string): boolean {
  let depth = 0;
  let dollars = 0;
  for (let at = 0; at < latex.length; at++) {
    const sign = latex[at];
    if (sign === '\\') {
      if (at + 1 === latex.length) return false;
      at++;
    } else if (sign === '{') depth++;
    else if (sign === '}' && --depth < 0) return false;
    else if (sign === '$') dollars++;
  }
  return depth === 0 && dollars % 2 === 0;
}
