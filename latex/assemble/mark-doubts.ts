/**
 * A document in which readings that need checking are marked where they stand. Marks print as if they were not there, or
 * in colour; either way they are one macro, and searching for it leads from one to the next.
 */
import { findBody } from '../source/read-commands.ts';
import { scanLatex } from '../source/scan.ts';
import { applySplices, type Splice } from '../source/splice.ts';

interface Span {
  start: number;
  end: number;
}

export interface MarkedDocument<T, P> {
  latex: string;
  /** Offsets into the marked text, of all doubts: those that cannot be marked, too. */
  doubtful: T[];
  /** Other ranges of the text, moved along. */
  places: P[];
  /** Number of marks set. */
  marked: number;
}

const comment =
  '% \\unsure{…}: the reader is not sure of what stands between the braces; compare it with the page.';
const forms = {
  plain: [
    comment,
    '% It prints as if it were not there: remove each when you have checked it.',
    '\\newcommand{\\unsure}[1]{#1}',
  ],
  colour: [
    comment,
    '\\usepackage{xcolor}',
    '\\newcommand{\\unsure}[1]{\\textcolor[rgb]{0.76,0.25,0.05}{#1}}',
  ],
  /** For the writers of other formats. */
  highlight: ['\\newcommand{\\unsure}[1]{\\hl{#1}}'],
};
export type MarkForm = keyof typeof forms;

/** The first line of a text that was to be marked, and does not compile with its marks. */
export const marksLeftOut =
  '% Doubtful words are not marked here: with the marks this document would not compile.';

/** A command that takes what follows without a brace, or the second thing after a first. */
const bareArgument =
  /\\(?:[dt]?frac|binom|sqrt|text\w*|math(?:bb|bf|cal|frak|it|rm|scr|sf|tt)|operatorname|(?:wide)?(?:hat|tilde)|bar|vec|d?dot|acute|grave|(?:over|under)(?:line|brace)|left|right|[bB]igg?[lrm]?)\s*(?:\[[^\]]*\]\s*)?$/;
const secondArgument = /\\(?:[dt]?frac|binom)\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}|[^{}\\\s])\s*$/;
/** Inside an argument that is a name, not text. */
const inName =
  /\\(?:begin|end|label|(?:eq|page)?ref|cite\w*|includegraphics|input|href|url|hspace|vspace)\*?(?:\[[^\]]*\])?\{[^{}]*$/;

/** Null if the document has a command of that name itself. */
export function markDoubts<T extends Span, P extends Span>(
  latex: string,
  doubtful: readonly T[],
  form: MarkForm,
  places: readonly P[] = [],
): MarkedDocument<T, P> | null {
  const { begin } = findBody(scanLatex(latex));
  if (!begin || /\\unsure(?![A-Za-z])/.test(latex)) return null;
  const splices: Splice[] = [];
  let { end } = begin;
  for (const span of [...doubtful].sort((a, b) => a.start - b.start || b.end - a.end)) {
    // one within another is marked with it
    if (span.start < end || !canMark(latex, span, form)) continue;
    const isScript = isWholeScript(latex, span);
    splices.push({ start: span.start, end: span.start, text: isScript ? '{\\unsure{' : '\\unsure{' });
    splices.push({ start: span.end, end: span.end, text: isScript ? '}}' : '}' });
    end = span.end;
  }
  if (splices.length === 0) return { latex, doubtful: [...doubtful], places: [...places], marked: 0 };
  const head = `${forms[form].join('\n')}\n`;
  const spliced = applySplices(latex, [{ start: begin.start, end: begin.start, text: head }, ...splices]);
  const moved = doubtful.map((span) => ({
    ...span,
    // behind what is inserted there
    start: spliced.mapOffset(span.start + 1) - 1,
    end: spliced.mapOffset(span.end),
  }));
  // what a place says includes the marks in it
  const held = places.map((place) => ({
    ...place,
    start: spliced.mapOffset(place.start),
    end: spliced.mapOffset(place.end + 1) - 1,
  }));
  return { latex: spliced.text, doubtful: moved, places: held, marked: splices.length / 2 };
}

function canMark(latex: string, { start, end }: Span, form: MarkForm): boolean {
  const text = latex.slice(start, end);
  if (text.trim() === '' || !isClosed(text)) return false;
  // cells, rows, items, headings and paragraphs are not held by an argument
  if (/(?<!\\)[&%]|\\\\|\\(?:item|verb|(?:sub)*section|chapter|paragraph|par)(?![A-Za-z])|\n\s*\n/.test(text))
    return false;
  const before = latex.slice(Math.max(0, start - 200), start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (bareArgument.test(line) || secondArgument.test(line) || inName.test(line)) return false;
  // colour is set around whole things: not around an exponent and what follows it
  return form === 'plain' || !/[_^]\s*$/.test(before) || isWholeScript(latex, { start, end });
}

/** An exponent or index that has no braces, or whose braces are in the span. */
function isWholeScript(latex: string, { start, end }: Span): boolean {
  return (
    /[_^]\s*$/.test(latex.slice(Math.max(0, start - 20), start)) &&
    /^(?:\\[A-Za-z]+|[^\\\s{}]|\{[^{}]*\})$/.test(latex.slice(start, end))
  );
}

/** Braces, dollars, brackets of displays and environments all close within it. */
function isClosed(text: string): boolean {
  let [braces, dollars, displays, environments, fences] = [0, 0, 0, 0, 0];
  for (const [sign] of text.matchAll(/\\(?:begin|end|left|right)(?![A-Za-z])|\\.|[{}$]/gs)) {
    if (sign === '{') braces++;
    else if (sign === '}') braces--;
    else if (sign === '$') dollars++;
    else if (sign === '\\[' || sign === '\\(') displays++;
    else if (sign === '\\]' || sign === '\\)') displays--;
    else if (sign === '\\begin') environments++;
    else if (sign === '\\end') environments--;
    else if (sign === '\\left') fences++;
    else if (sign === '\\right') fences--;
    if (Math.min(braces, displays, environments, fences) < 0) return false;
  }
  return braces === 0 && dollars % 2 === 0 && displays === 0 && environments === 0 && fences === 0;
}
