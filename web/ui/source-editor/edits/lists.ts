/** Bulleted and numbered lists of lines. */
import { EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state';
import { type EnvironmentPair, getStructure } from '../lines/structure.ts';

export type ListName = 'itemize' | 'enumerate';

const item = /^(\s*)\\item(?![A-Za-z])[ \t]*/;
const nameOf = ({ begin }: EnvironmentPair) => begin.mark.name.trim();
const isList = (pair: EnvironmentPair) => nameOf(pair) === 'itemize' || nameOf(pair) === 'enumerate';

/** The innermost list around the selection. */
function findList(state: EditorState): EnvironmentPair | null {
  const { from, to } = state.selection.main;
  const first = state.doc.lineAt(from).number;
  const last = state.doc.lineAt(to).number;
  let found: EnvironmentPair | null = null;
  for (const pair of getStructure(state).pairs) {
    if (!isList(pair) || pair.begin.line > first || pair.end.line < last) continue;
    if (found === null || pair.begin.line > found.begin.line) found = pair;
  }
  return found;
}

/** Null: the selection is in no list. */
export function readList(state: EditorState): ListName | null {
  const pair = findList(state);
  return pair && (nameOf(pair) as ListName);
}

/** Turns the selected lines into a list's items, a list into one of the other kind, and a list of this kind back. */
export function toggleList(state: EditorState, name: ListName): TransactionSpec | null {
  const pair = findList(state);
  if (!pair) return makeList(state, name);
  if (nameOf(pair) === name) return takeOff(state, pair);
  const changes = [pair.begin, pair.end].map(({ line, mark }) => {
    const start = state.doc.line(line).from;
    return { from: start + mark.nameFrom, to: start + mark.nameTo, insert: name };
  });
  return { changes, scrollIntoView: true, userEvent: 'input.format' };
}

function makeList(state: EditorState, name: ListName): TransactionSpec {
  const { main } = state.selection;
  const first = state.doc.lineAt(main.from);
  const last = state.doc.lineAt(main.to);
  const lines = state.sliceDoc(first.from, last.to).split('\n');
  const margin = /^\s*/.exec(first.text)![0];
  const items = lines.filter((line) => line.trim() !== '' || lines.length === 1);
  const head = `${margin}\\begin{${name}}\n`;
  const lead = `${margin}  \\item `;
  const body = items.map((line) => `${lead}${line.trim()}`).join('\n');
  const from = first.from + head.length + lead.length;
  const to = first.from + head.length + body.length;
  // in a single line the cursor stays at its letter
  const column = Math.max(0, main.head - first.from - margin.length);
  return {
    changes: { from: first.from, to: last.to, insert: `${head}${body}\n${margin}\\end{${name}}` },
    selection: main.empty
      ? EditorSelection.cursor(Math.min(from + column, to))
      : EditorSelection.range(main.anchor <= main.head ? from : to, main.anchor <= main.head ? to : from),
    scrollIntoView: true,
    userEvent: 'input.format',
  };
}

/** Its items become lines; lists within it stay. */
function takeOff(state: EditorState, pair: EnvironmentPair): TransactionSpec | null {
  const { doc } = state;
  // a list on one line has no lines to make of its items
  if (pair.begin.line === pair.end.line) return null;
  const inner = getStructure(state).pairs.filter(
    (other) => isList(other) && other.begin.line > pair.begin.line && other.end.line < pair.end.line,
  );
  const changes: { from: number; to: number }[] = [];
  const margin = /^\s*/.exec(doc.line(pair.begin.line).text)![0].length;
  for (let number = pair.begin.line; number <= pair.end.line; number++) {
    if (inner.some(({ begin, end }) => begin.line <= number && number <= end.line)) continue;
    const line = doc.line(number);
    const isEdge = number === pair.begin.line || number === pair.end.line;
    if (isEdge) {
      const { mark } = number === pair.begin.line ? pair.begin : pair.end;
      const rest = line.text.slice(0, mark.from) + line.text.slice(mark.to);
      const isAlone = /^\s*(?:\[[^\]]*\])?\s*$/.test(rest);
      // the whole line, with one of its line breaks
      if (isAlone && number < doc.lines) changes.push({ from: line.from, to: line.to + 1 });
      else if (isAlone && line.from > 0) changes.push({ from: line.from - 1, to: line.to });
      else changes.push({ from: line.from + mark.from, to: line.from + mark.to });
      continue;
    }
    const found = item.exec(line.text);
    if (found)
      changes.push({
        from: line.from + Math.min(margin, found[1]!.length),
        to: line.from + found[0].length,
      });
  }
  return { changes, scrollIntoView: true, userEvent: 'input.format' };
}
