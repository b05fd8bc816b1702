/** Counters of lists and how they print. */
import type { Counting } from './tree.ts';

const byCommand: Record<string, Counting['format']> = {
  arabic: 'decimal',
  alph: 'lower-letter',
  Alph: 'upper-letter',
  roman: 'lower-roman',
  Roman: 'upper-roman',
};
const byLetter: Record<string, Counting['format']> = {
  1: 'decimal',
  a: 'lower-letter',
  A: 'upper-letter',
  i: 'lower-roman',
  I: 'upper-roman',
};
/** LaTeX's own, by depth. */
const defaults: Counting[] = [
  { format: 'decimal', before: '', after: '.' },
  { format: 'lower-letter', before: '(', after: ')' },
  { format: 'lower-roman', before: '', after: '.' },
  { format: 'upper-letter', before: '', after: '.' },
];

/** How a list counts, by its options (`label=(\alph*)`, `[a)]`) or its depth, 0 for the outermost. */
export function readCounting(options: string, depth: number): Counting {
  const fallback = defaults[Math.min(depth, defaults.length - 1)]!;
  const label = /label\s*=\s*(\{(?:[^{}]|\{[^{}]*\})*\}|[^,]*)/.exec(options)?.[1];
  const found = /\\(arabic|alph|Alph|roman|Roman)\s*\*/.exec(label ?? '');
  if (label && found) {
    const clean = (text: string) => text.replace(/\\[A-Za-z]+\*?|[{}$\\]/g, '').trim();
    return {
      format: byCommand[found[1]!]!,
      before: clean(label.slice(0, found.index)),
      after: clean(label.slice(found.index + found[0].length)),
    };
  }
  const short = /^\s*([([]?)([1aAiI])([)\].:]?)\s*(?:,|$)/.exec(options.replace(/[{}]/g, ''));
  if (short) return { format: byLetter[short[2]!]!, before: short[1]!, after: short[3]! };
  return fallback;
}

export function printCount({ format, before, after }: Counting, value: number): string {
  return `${before}${formatCount(format, value)}${after}`;
}

function formatCount(format: Counting['format'], value: number): string {
  if (format === 'decimal') return String(value);
  if (format.endsWith('letter')) {
    const letter = value <= 26 ? String.fromCharCode(96 + value) : `${Math.floor((value - 1) / 26)}${value}`;
    return format === 'upper-letter' ? letter.toUpperCase() : letter;
  }
  const roman = toRoman(value);
  return format === 'upper-roman' ? roman.toUpperCase() : roman;
}

function toRoman(value: number): string {
  const steps: [number, string][] = [
    [100, 'c'],
    [90, 'xc'],
    [50, 'l'],
    [40, 'xl'],
    [10, 'x'],
    [9, 'ix'],
    [5, 'v'],
    [4, 'iv'],
    [1, 'i'],
  ];
  let rest = Math.min(value, 3999);
  let text = '';
  for (const [size, sign] of steps) for (; rest >= size; rest -= size) text += sign;
  return text;
}
