/** Items: their labels, and the list environment a label belongs to. */
import type { Line } from '../lines/lines.ts';
import type { Glyph } from '../model.ts';

export interface Label {
  kind: 'bullet' | 'number' | 'custom';
  /** As printed, without spaces. */
  text: string;
  /** For enumitem: `\arabic*`, `\alph*` …, with what surrounds it. */
  pattern: string;
  /** 1 for 1, a, i. */
  value: number;
  isBold: boolean;
  isItalic: boolean;
  glyphs: Glyph[];
  /** Where the item's own text begins. */
  contentX: number;
}

const bullets = new Set([
  '•',
  '–',
  '∗',
  '·',
  '◦',
  '▪',
  '‣',
  '▶',
  '⋄',
  '○',
  '●',
  '■',
  '□',
  '◾',
  '►',
  '➢',
  '✓',
  '-',
  '—',
  '∙',
]);

/** The label that a line begins with, or null. `left` is the column's left edge. */
export function findLabel(line: Line): Label | null {
  const glyphs = [...line.glyphs].sort((a, b) => a.x - b.x);
  const first = glyphs[0];
  if (!first) return null;
  const label: Glyph[] = [];
  let end = first.x;
  let next: Glyph | undefined;
  for (const g of glyphs) {
    if (label.length > 0 && g.x - end > 0.2 * line.size) {
      next = g;
      break;
    }
    label.push(g);
    end = g.x + g.width;
    if (label.length > 8) return null;
  }
  if (!next) return null;
  const text = label.map((g) => g.text).join('');
  const gap = (next.x - end) / line.size;
  const base = {
    text,
    isBold: label.every((g) => g.font.bold),
    isItalic: label.every((g) => g.font.italic && g.font.family === 'none'),
    glyphs: label,
    contentX: next.x,
  };
  if (label.length === 1 && bullets.has(text) && gap > 0.3)
    return { ...base, kind: 'bullet', pattern: text, value: 0 };
  if (label.length === 1 && (text === '⋆' || text === '★' || text === '*') && gap > 0.35)
    return { ...base, kind: 'custom', pattern: text, value: 0 };
  const match = /^([([]?)(\d{1,3}|[ivxl]{1,6}|[IVXL]{1,6}|[a-zA-Z])([.)\]]|\.\))$/.exec(text);
  if (!match || gap < 0.28) return null;
  const [, open = '', body = '', close = ''] = match;
  if (open === '' && close === '.' && /^[A-Z]$/.test(body) && gap < 0.4) return null;
  return { ...base, kind: 'number', pattern: `${open}*${close}`, ...counterOf(body) };
}

function counterOf(body: string): { value: number; counter?: string } {
  if (/^\d+$/.test(body)) return { value: Number(body) };
  return { value: -1 };
}

export type Counter = '\\arabic*' | '\\alph*' | '\\Alph*' | '\\roman*' | '\\Roman*';

const romans = [
  'i',
  'ii',
  'iii',
  'iv',
  'v',
  'vi',
  'vii',
  'viii',
  'ix',
  'x',
  'xi',
  'xii',
  'xiii',
  'xiv',
  'xv',
  'xvi',
  'xvii',
  'xviii',
  'xix',
  'xx',
];

/** Counter and value of a label's body. `previous` is the open list's counter: "i" may go on from "h" or begin roman numerals. */
export function readCounter(
  label: Label,
  previous: { counter: Counter; value: number } | null,
): { counter: Counter; value: number } {
  const body = label.text.replace(/[().[\]]/g, '');
  if (/^\d+$/.test(body)) return { counter: '\\arabic*', value: Number(body) };
  const lower = body.toLowerCase();
  const isUpper = body !== lower;
  const roman = romans.indexOf(lower) + 1;
  const letter = lower.length === 1 ? lower.charCodeAt(0) - 96 : 0;
  const letterCounter: Counter = isUpper ? '\\Alph*' : '\\alph*';
  const romanCounter: Counter = isUpper ? '\\Roman*' : '\\roman*';
  if (previous?.counter === letterCounter && letter === previous.value + 1)
    return { counter: letterCounter, value: letter };
  if (previous?.counter === romanCounter && roman === previous.value + 1)
    return { counter: romanCounter, value: roman };
  if (roman === 1 || (roman > 1 && letter === 0)) return { counter: romanCounter, value: roman };
  return { counter: letterCounter, value: letter };
}

/** enumitem's label, or null where it is LaTeX's own for that depth (1 to 4). */
export function labelOption(label: Label, counter: Counter, depth: number): string | null {
  const own = ['\\arabic*.', '(\\alph*)', '\\roman*.', '\\Alph*.'][depth - 1];
  const text = label.text.replace(
    /^([([]?)[^().[\]]+([.)\]]*)$/,
    (_, open: string, close: string) => `${open}${counter}${close}`,
  );
  const styled = label.isBold ? `\\textbf{${text}}` : label.isItalic ? `\\textit{${text}}` : text;
  if (styled === own) return null;
  return /[[\],]/.test(styled) ? `{${styled}}` : styled;
}
