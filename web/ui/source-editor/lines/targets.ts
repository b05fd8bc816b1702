/** What labels and citation keys refer to: a formula, a heading, a caption, an entry of the bibliography. */
import type { EditorState, Text } from '@codemirror/state';
import { captionedEnvironments, displayEnvironments, theoremEnvironments } from '#latex/source/commands.ts';
import { readableTitle } from '#latex/source/title/readable-title.ts';
import { getLineIndex } from './line-index.ts';
import type { Mark } from './scan-line.ts';
import { type EnvironmentPair, getStructure } from './structure.ts';
import { findFormula } from './tokens.ts';

export interface LabelTarget {
  name: string;
  kind: 'formula' | 'heading' | 'caption' | 'theorem' | 'place';
  /** What it is: `Section`, `Figure`, `Theorem`. */
  what: string;
  /** Its words: a title, a caption, the beginning of a theorem; for a formula, its LaTeX for KaTeX. */
  text: string;
  /** Offset of the label. */
  at: number;
}

const maxText = 400;
/** A caption or theorem is read over this many lines at most. */
const maxLines = 12;
const headings = ['Chapter', 'Section', 'Subsection', 'Subsubsection', 'Paragraph', 'Subparagraph'];
const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Every label, in document order. */
export function listLabels(state: EditorState): LabelTarget[] {
  return findMarks(state, 'label').map(({ line, mark }) => describeLabel(state, line, mark));
}

export function findLabel(state: EditorState, name: string): LabelTarget | null {
  const found = findMarks(state, 'label').find(({ mark }) => mark.name.trim() === name);
  return found ? describeLabel(state, found.line, found.mark) : null;
}

/** The words of a `\bibitem`, or null. */
export function findBibliographyItem(state: EditorState, key: string): string | null {
  const found = findMarks(state, 'bibliography').find(({ mark }) => mark.name.trim() === key);
  if (!found) return null;
  const words: string[] = [];
  for (let number = found.line; number <= Math.min(state.doc.lines, found.line + maxLines); number++) {
    const text = state.doc.line(number).text;
    const rest = number === found.line ? text.slice(found.mark.nameTo + 1) : text;
    const end = number === found.line ? -1 : rest.search(/\\bibitem(?![A-Za-z])|\\end\s*\{/);
    words.push(end < 0 ? rest : rest.slice(0, end));
    if (end >= 0 || (rest.trim() === '' && number > found.line)) break;
  }
  return toWords(words.join(' '));
}

/** The mark at an offset: what is referred to or cited there. */
export function findUse(state: EditorState, offset: number): { mark: Mark; from: number; to: number } | null {
  const line = state.doc.lineAt(offset);
  const column = offset - line.from;
  const marks = getLineIndex(state).lines[line.number - 1]!.marks.filter(
    ({ kind, from, to }) => (kind === 'reference' || kind === 'citation') && from <= column && column <= to,
  );
  // of several keys, the one under the pointer; elsewhere in the command, the first
  const mark = marks.find(({ nameFrom, nameTo }) => nameFrom <= column && column <= nameTo) ?? marks[0];
  return mark ? { mark, from: line.from + mark.nameFrom, to: line.from + mark.nameTo } : null;
}

function findMarks(state: EditorState, kind: Mark['kind']): { line: number; mark: Mark }[] {
  return getLineIndex(state).lines.flatMap(({ marks }, index) =>
    marks.filter((mark) => mark.kind === kind).map((mark) => ({ line: index + 1, mark })),
  );
}

function describeLabel(state: EditorState, line: number, mark: Mark): LabelTarget {
  const { doc } = state;
  const at = doc.line(line).from + mark.from;
  const base = { name: mark.name.trim(), at };
  const pair = findInnermost(state, line, mark, (name) => isTarget(name));
  const name = pair?.begin.mark.name.trim().replace(/\*$/, '') ?? '';
  if (pair && displayEnvironments.has(pair.begin.mark.name.trim())) {
    const formula = findFormula(state, doc.line(pair.begin.line).from + pair.begin.mark.to);
    return { ...base, kind: 'formula', what: 'Equation', text: formula?.tex ?? '' };
  }
  if (pair && captionedEnvironments.has(pair.begin.mark.name.trim())) {
    const text = readCaption(doc, pair);
    return { ...base, kind: 'caption', what: capitalised(name.replace(/^(?:sub|wrap|sideways)/, '')), text };
  }
  if (pair) {
    const first = doc.line(pair.begin.line).from + pair.begin.mark.to;
    const last = doc.line(Math.min(pair.end.line, pair.begin.line + maxLines));
    const end = last.number === pair.end.line ? last.from + pair.end.mark.from : last.to;
    const text = toWords(state.sliceDoc(first, end).replace(/^\s*\[[^\]]*\]/, ''));
    return { ...base, kind: 'theorem', what: capitalised(name), text };
  }
  const heading = getStructure(state).headings.findLast((one) => one.line <= line);
  return heading
    ? { ...base, kind: 'heading', what: headings[heading.level] ?? 'Section', text: heading.title }
    : { ...base, kind: 'place', what: `Line ${line}`, text: toWords(doc.line(line).text) };

  function isTarget(candidate: string): boolean {
    return (
      displayEnvironments.has(candidate) ||
      captionedEnvironments.has(candidate) ||
      theoremEnvironments.has(candidate.replace(/\*$/, '')) ||
      getStructure(state).environments.includes(candidate)
    );
  }
}

/** The innermost environment around a mark of which this is true. */
function findInnermost(
  state: EditorState,
  line: number,
  { from }: Mark,
  isWanted: (name: string) => boolean,
): EnvironmentPair | null {
  let found: EnvironmentPair | null = null;
  for (const pair of getStructure(state).pairs) {
    const { begin, end } = pair;
    const isAround =
      (begin.line < line || (begin.line === line && begin.mark.from < from)) &&
      (end.line > line || (end.line === line && end.mark.from > from));
    if (!isAround || !isWanted(begin.mark.name.trim())) continue;
    const isInner =
      found === null ||
      begin.line > found.begin.line ||
      (begin.line === found.begin.line && begin.mark.from > found.begin.mark.from);
    if (isInner) found = pair;
  }
  return found;
}

/** Its `\caption`, over several lines if need be. */
function readCaption(doc: Text, { begin, end }: EnvironmentPair): string {
  for (let number = begin.line; number <= end.line; number++) {
    const text = doc.line(number).text;
    const found = /\\caption\*?\s*(?:\[[^\]]*\]\s*)?\{/.exec(text);
    if (!found) continue;
    const from = doc.line(number).from + found.index + found[0].length;
    const source = doc.sliceString(from, doc.line(Math.min(end.line, number + maxLines)).to);
    let depth = 1;
    for (let at = 0; at < source.length; at++) {
      if (source[at] === '\\') at++;
      else if (source[at] === '{') depth++;
      else if (source[at] === '}' && --depth === 0) return toWords(source.slice(0, at));
    }
    return toWords(source);
  }
  return '';
}

/** Readable and shortened. */
function toWords(source: string): string {
  const words = readableTitle(source.slice(0, 4 * maxText).replace(/(?<!\\)%[^\n]*/g, ''));
  return words.length > maxText ? `${words.slice(0, maxText).trimEnd()}…` : words;
}
