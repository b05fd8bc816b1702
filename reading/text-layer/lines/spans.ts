/** Spans of a line: text in one style, or a formula; and how they are written and joined. */
import { escapeText } from '../escape.ts';
import { breakCommands } from '../math/symbols.ts';
import { readHyphen } from './hyphens.ts';

export interface TextStyle {
  bold: boolean;
  italic: boolean;
  mono: boolean;
  sans: boolean;
  smallCaps: boolean;
  underline: boolean;
}

export type Span =
  | { kind: 'text'; text: string; style: TextStyle }
  | { kind: 'math'; latex: string }
  /** LaTeX inserted verbatim, e.g. a footnote or filling dots. */
  | { kind: 'raw'; latex: string };

export const plainStyle: TextStyle = {
  bold: false,
  italic: false,
  mono: false,
  sans: false,
  smallCaps: false,
  underline: false,
};

function sameStyle(a: TextStyle, b: TextStyle): boolean {
  return (
    a.bold === b.bold &&
    a.italic === b.italic &&
    a.mono === b.mono &&
    a.sans === b.sans &&
    a.smallCaps === b.smallCaps &&
    a.underline === b.underline
  );
}

/** Text only, formulas as spaces: to find out what a line is. */
export function plainText(spans: readonly Span[]): string {
  return spans
    .map((s) => (s.kind === 'text' ? s.text : s.kind === 'math' ? ' ' : ''))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Drops `count` characters of text from the front. */
export function dropFront(spans: readonly Span[], count: number): Span[] {
  const out: Span[] = [];
  let left = count;
  for (const span of spans) {
    if (left <= 0 || span.kind !== 'text') {
      out.push(span);
      continue;
    }
    if (span.text.length <= left) {
      left -= span.text.length;
      continue;
    }
    out.push({ ...span, text: span.text.slice(left) });
    left = 0;
  }
  return trimFront(out);
}

export function trimFront(spans: Span[]): Span[] {
  const [first, ...rest] = spans;
  if (first?.kind !== 'text') return spans;
  const text = first.text.replace(/^\s+/, '');
  return text === '' ? trimFront(rest) : [{ ...first, text }, ...rest];
}

function trimEnd(spans: Span[]): Span[] {
  const last = spans[spans.length - 1];
  if (last?.kind !== 'text') return spans;
  const text = last.text.replace(/\s+$/, '');
  return text === '' ? trimEnd(spans.slice(0, -1)) : [...spans.slice(0, -1), { ...last, text }];
}

/**
 * Joins the lines of a paragraph.
 * @param knows whether the document has a word inside its lines, alone or with a hyphen
 */
export function joinLines(lines: readonly Span[][], knows: (word: string) => boolean): Span[] {
  const out: Span[] = [];
  for (const line of lines) {
    const spans = trimEnd(trimFront([...line]));
    if (spans.length === 0) continue;
    const last = out[out.length - 1];
    const first = spans[0] as Span;
    if (last) {
      const number = last.kind === 'math' ? takeNumber(last.latex, first) : null;
      if (last.kind === 'text' && first.kind === 'text' && /\p{L}[-‐\u00ad]$/u.test(last.text)) {
        const hyphen =
          last.style.mono && first.style.mono ? 'kept' : readHyphen(last.text, first.text, knows);
        const text = hyphen === 'none' ? last.text.slice(0, -1) : last.text;
        out[out.length - 1] = { ...last, text: hyphen === 'spaced' ? `${text} ` : text };
      } else if (last.kind === 'math' && first.kind === 'math' && endsOpen(last.latex)) {
        // TeX breaks a formula only after a relation or an operator
        const { latex, rest } = takeClosers(joinFormulas(last.latex, first.latex), spans.slice(1));
        out[out.length - 1] = { kind: 'math', latex };
        for (const span of rest) {
          if (span.kind === 'text') pushText(out, span.text, span.style);
          else out.push(span);
        }
        continue;
      } else if (last.kind === 'math' && number) {
        out[out.length - 1] = { kind: 'math', latex: `${last.latex} ${number.taken}` };
        spans[0] = number.rest;
      } else if (!(last.kind === 'text' && (/\S[-‐–—/]$/u.test(last.text) || isHyphenOfFormula(out)))) {
        pushText(
          out,
          ' ',
          last.kind === 'text' && first.kind === 'text' && sameStyle(last.style, first.style)
            ? last.style
            : plainStyle,
        );
      }
    }
    for (const span of spans) {
      if (span.kind === 'text') pushText(out, span.text, span.style);
      else out.push(span);
    }
  }
  return out;
}

/** n-dimensional, if the line ends behind its hyphen. */
function isHyphenOfFormula(spans: readonly Span[]): boolean {
  const [before, last] = spans.slice(-2);
  return before?.kind === 'math' && last?.kind === 'text' && /^[-‐]$/.test(last.text);
}

/** Hungarian and Russian repeat a sign on both lines that it breaks a formula into. */
function joinFormulas(upper: string, lower: string): string {
  const sign = /(\\[A-Za-z]+|\S)\s*$/.exec(upper)?.[1] ?? '';
  const goesOn = /[A-Za-z]$/.test(sign) && /^[A-Za-z]/.test(lower.slice(sign.length));
  const isRepeated = sign !== '' && lower.startsWith(sign) && !goesOn;
  return `${upper} ${isRepeated ? lower.slice(sign.length).replace(/^(?:\\[,;:! ]|\s)+/, '') : lower}`;
}

/** A formula of two lines, with the brackets behind it that close those of the first line. */
function takeClosers(latex: string, following: Span[]): { latex: string; rest: Span[] } {
  const [next, ...others] = following;
  const open = (latex.match(/[([]/g)?.length ?? 0) - (latex.match(/[)\]]/g)?.length ?? 0);
  const closers =
    next?.kind === 'text' && open > 0 ? /^[)\]]+/.exec(next.text)?.[0].slice(0, open) : undefined;
  if (next?.kind !== 'text' || closers === undefined) return { latex, rest: following };
  return {
    latex: `${latex}${closers}`,
    rest: [{ ...next, text: next.text.slice(closers.length) }, ...others],
  };
}

/** A number that goes on with the formula which the line before it breaks after a sign, and the text behind it. */
function takeNumber(latex: string, first: Span): { taken: string; rest: Span } | null {
  if (first.kind !== 'text' || first.style.italic || !endsOpen(latex)) return null;
  const isSign = latex.replace(/(\\[A-Za-z]+|\S)\s*$/, '').trim() === '';
  const [, taken, text = ''] = /^(\d+(?:[.,]\d+)*)((?:[^\d\p{L}].*)?)$/su.exec(first.text) ?? [];
  return isSign || taken === undefined ? null : { taken, rest: { ...first, text } };
}

/** A formula that cannot end here: its last sign needs something to its right. */
export function endsOpen(latex: string): boolean {
  const bare = latex.replace(/\\overset\{[^{}]*\}\{([^{}]*)\}$/, '$1');
  const last = /(\\[A-Za-z]+|[^\s])\s*$/.exec(bare)?.[1] ?? '';
  return breakCommands.has(last);
}

export function pushText(out: Span[], text: string, style: TextStyle): void {
  const last = out[out.length - 1];
  if (last?.kind === 'text' && (sameStyle(last.style, style) || text.trim() === '')) last.text += text;
  else out.push({ kind: 'text', text, style: { ...style } });
}

const commands: [keyof TextStyle, string][] = [
  ['bold', '\\textbf'],
  ['smallCaps', '\\textsc'],
  ['mono', '\\texttt'],
  ['sans', '\\textsf'],
  ['underline', '\\underline'],
];

/** LaTeX of the spans. `base` is the surrounding style (an italic theorem, a bold heading): only differences are marked. */
export function writeSpans(spans: readonly Span[], base: TextStyle = plainStyle): string {
  let out = '';
  for (const span of spans) {
    if (span.kind === 'math') {
      const latex = base.italic ? wordsAmidItalic(span.latex) : span.latex;
      // adjacent formulas are one
      if (out.endsWith('$') && !out.endsWith('\\$')) out = `${out.slice(0, -1)} ${latex}$`;
      else out += `$${latex}$`;
    } else if (span.kind === 'raw') out += span.latex;
    else out += writeText(span.text, span.style, base);
  }
  return out.replace(/ {2,}/g, ' ');
}

/** Words in a formula of an italic sentence: \text is italic there. */
export function wordsAmidItalic(latex: string): string {
  return latex.replace(/\\text\{/g, '\\textup{').replace(/\\(?:textit|mathit)\{/g, '\\text{');
}

function writeText(text: string, style: TextStyle, base: TextStyle): string {
  const [, lead = '', core = '', tail = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  if (core === '') return text;
  let out = writeQuotes(escapeText(core));
  for (const [key, command] of commands) if (style[key] && !base[key]) out = `${command}{${out}}`;
  if (style.italic !== base.italic) out = style.bold && !base.bold ? `\\textit{${out}}` : `\\emph{${out}}`;
  if (base.bold && !style.bold) out = `\\textmd{${out}}`;
  if (base.mono && !style.mono) out = `\\textrm{${out}}`;
  return lead + out + tail;
}

/** Straight quotes come from code; curly ones stay characters, which all engines read. */
function writeQuotes(escaped: string): string {
  return escaped;
}
