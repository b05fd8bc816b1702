/** The tokens of a document's lines, and the formula at a place. */
import type { EditorState } from '@codemirror/state';
import { getLineIndex } from './line-index.ts';
import { type LineState, scanLine, type TokenKind } from './scan-line.ts';

export interface LineToken {
  kind: TokenKind;
  /** UTF-16 offsets in the document. */
  from: number;
  to: number;
}

/** @param number 1-based */
export function listTokens(state: EditorState, number: number): LineToken[] {
  const line = state.doc.line(number);
  const tokens: LineToken[] = [];
  scanLine(line.text, getLineIndex(state).lines[number - 1]!.entry, (kind, from, to) =>
    tokens.push({ kind, from: line.from + from, to: line.from + to }),
  );
  return tokens;
}

/** The token at an offset; between two tokens, the one before. */
export function tokenAt(state: EditorState, offset: number): LineToken | null {
  const tokens = listTokens(state, state.doc.lineAt(offset).number);
  return tokens.find(({ from, to }) => from < offset && offset <= to) ?? tokens[0] ?? null;
}

export function isMathAt(state: EditorState, offset: number): boolean {
  const line = state.doc.lineAt(offset);
  const before = line.text.slice(0, offset - line.from);
  const exit = scanLine(before, getLineIndex(state).lines[line.number - 1]!.entry).exit;
  return exit.startsWith('m:') || exit.startsWith('e:');
}

export interface Formula {
  /** Including its delimiters. */
  from: number;
  to: number;
  /** Input for KaTeX: without `$`, but with `\begin` and `\end`. */
  tex: string;
  isDisplay: boolean;
}

/** A formula of more lines than this is not previewed. */
const longest = 60;

/** The formula around this offset (including its delimiters), or null. */
export function findFormula(state: EditorState, offset: number): Formula | null {
  const { lines } = getLineIndex(state);
  const { doc } = state;
  const here = doc.lineAt(offset).number;
  let first = here;
  while (first > 1 && isMath(lines[first - 1]!.entry) && here - first < longest) first--;
  let state_: LineState = lines[first - 1]!.entry;
  let start = -1;
  for (let number = first; number <= Math.min(doc.lines, here + longest); number++) {
    const line = doc.line(number);
    const cuts = findCuts(line.text, state_);
    for (const { at, to, opens } of cuts) {
      if (opens) start = line.from + at;
      else if (start >= 0) {
        const end = line.from + to;
        if (offset >= start && offset <= end) return toFormula(doc.sliceString(start, end), start, end);
        start = -1;
      }
    }
    if (number >= here && start < 0) return null;
    state_ = scanLine(line.text, state_).exit;
  }
  return null;
}

const isMath = (state: LineState) => state.startsWith('m:') || state.startsWith('e:');

/** Positions on a line where formulas open and close. */
function findCuts(text: string, entry: LineState): { at: number; to: number; opens: boolean }[] {
  const cuts: { at: number; to: number; opens: boolean }[] = [];
  let inside = isMath(entry);
  const { marks } = scanLine(text, entry, (kind, at, to) => {
    if (kind !== 'delimiter') return;
    cuts.push({ at, to, opens: !inside });
    inside = !inside;
  });
  for (const mark of marks) {
    if (mark.kind !== 'begin' && mark.kind !== 'end') continue;
    const before = scanLine(text.slice(0, mark.from), entry).exit;
    const after = scanLine(text.slice(0, mark.to), entry).exit;
    if (isMath(before) !== isMath(after))
      cuts.push({ at: mark.from, to: mark.to, opens: mark.kind === 'begin' });
  }
  return cuts.sort((a, b) => a.at - b.at);
}

function toFormula(source: string, from: number, to: number): Formula {
  const short = source.startsWith('$') && !source.startsWith('$$') ? 1 : 2;
  const isEnvironment = source.startsWith('\\begin');
  return {
    from,
    to,
    tex: isEnvironment ? source : source.slice(short, -short),
    isDisplay: isEnvironment || source.startsWith('$$') || source.startsWith('\\['),
  };
}
