/** Bold, italic and the like: on, off, and what applies at the cursor. */
import {
  EditorSelection,
  type EditorState,
  type SelectionRange,
  type TransactionSpec,
} from '@codemirror/state';
import { isMathAt } from '../lines/tokens.ts';

/** The command in text, and the one in a formula. */
const styles = {
  bold: ['textbf', 'mathbf'],
  italic: ['textit', 'mathit'],
  emphasis: ['emph', 'mathit'],
  underline: ['underline', 'underline'],
  typewriter: ['texttt', 'mathtt'],
} as const satisfies Record<string, readonly [text: string, math: string]>;
export type StyleName = keyof typeof styles;

/** `\textbf{words}`, in offsets of the document. */
interface Group {
  from: number;
  contentFrom: number;
  contentTo: number;
  to: number;
}

interface Change {
  from: number;
  to?: number;
  insert?: string;
}

/** How far to look around the selection for the command that encloses it. */
const reach = 10_000;
const blankLines = /\n[ \t]*\n\s*/g;
const isLetter = (character: string) => /[\p{L}\p{N}]/u.test(character);

/** Whether everything selected, or the place of the cursor, is in this style. */
export function hasStyle(state: EditorState, style: StyleName): boolean {
  const { main } = state.selection;
  const commands = styles[style];
  return findEnclosing(state, main, commands) !== null || findWhole(state, main, commands) !== null;
}

/**
 * Removes the style if everything selected has it; applies it otherwise. Without a selection it applies to the
 * word around the cursor, or to what is typed next. Works on all selections at once.
 */
export function toggleStyle(state: EditorState, style: StyleName): TransactionSpec {
  const commands = styles[style];
  return {
    ...state.changeByRange((range) => {
      const whole = findWhole(state, range, commands);
      const enclosing = whole ?? findEnclosing(state, range, commands);
      if (enclosing) return takeOff(state, range, enclosing);
      const command = commands[isMathAt(state, range.from) ? 1 : 0];
      return setOn(state, range, command, commands);
    }),
    scrollIntoView: true,
    userEvent: 'input.format',
  };
}

function takeOff(state: EditorState, range: SelectionRange, group: Group) {
  const { from, contentFrom, contentTo, to } = group;
  const opening = state.sliceDoc(from, contentFrom);
  // commands inside stay whole
  const inner = listGroups(state.sliceDoc(contentFrom, contentTo), contentFrom);
  const outermost = { from: range.from, to: range.to };
  for (const one of inner) {
    const isCut = one.from < range.to && range.from < one.to && (one.from < range.from || range.to < one.to);
    if (!isCut) continue;
    outermost.from = Math.min(outermost.from, one.from);
    outermost.to = Math.max(outermost.to, one.to);
  }
  const isInside = range.from >= contentFrom && range.to <= contentTo;
  const left = state.sliceDoc(contentFrom, outermost.from);
  const right = state.sliceDoc(outermost.to, contentTo);
  const isAll = !isInside || range.empty || (left.trim() === '' && right.trim() === '');
  if (isAll) {
    const width = contentFrom - from;
    const place = (offset: number) => Math.max(contentFrom, Math.min(offset, contentTo)) - width;
    return {
      changes: [
        { from, to: contentFrom },
        { from: contentTo, to },
      ],
      range: EditorSelection.range(place(range.anchor), place(range.head)),
    };
  }
  // some words of several: the words around them keep the style
  const hasLeft = left.trim() !== '';
  const hasRight = right.trim() !== '';
  const changes: Change[] = [
    hasLeft ? { from: outermost.from, insert: '}' } : { from, to: contentFrom },
    hasRight ? { from: outermost.to, insert: opening } : { from: contentTo, to },
  ];
  const shift = hasLeft ? 1 : from - contentFrom;
  return { changes, range: EditorSelection.range(range.anchor + shift, range.head + shift) };
}

function setOn(state: EditorState, range: SelectionRange, command: string, commands: readonly string[]) {
  const opening = `\\${command}{`;
  if (range.empty) {
    const word = findWord(state, range.head);
    const [from, to] = word ? [word.from, word.to] : [range.head, range.head];
    return {
      changes: [
        { from, insert: opening },
        { from: to, insert: '}' },
      ],
      range: EditorSelection.cursor(range.head + opening.length),
    };
  }
  const changes: Change[] = [];
  // a command's argument cannot contain the end of a paragraph
  const pieces = listPieces(state.sliceDoc(range.from, range.to)).map(([from, to]) => [
    range.from + from,
    range.from + to,
  ]);
  for (const piece of pieces) {
    const [from, to] = widen(state, piece[0]!, piece[1]!);
    changes.push({ from, insert: opening });
    // an earlier command inside it has the same style
    for (const group of listGroups(state.sliceDoc(from, to), from))
      if (commands.includes(group.command))
        changes.push({ from: group.from, to: group.contentFrom }, { from: group.contentTo, to: group.to });
    changes.push({ from: to, insert: '}' });
  }
  if (pieces.length === 0) return { range };
  changes.sort((a, b) => a.from - b.from);
  const set = state.changes(changes);
  const first = set.mapPos(pieces[0]![0]!, 1);
  const last = set.mapPos(pieces[pieces.length - 1]![1]!, -1);
  const isForward = range.anchor <= range.head;
  return {
    changes,
    range: isForward ? EditorSelection.range(first, last) : EditorSelection.range(last, first),
  };
}

/** The stretch with all of each command that it begins or ends in. */
function widen(state: EditorState, from: number, to: number): [from: number, to: number] {
  const begin = Math.max(0, from - reach);
  const text = state.sliceDoc(begin, Math.min(state.doc.length, to + reach));
  let [left, right] = [from, to];
  // outer ones close later
  for (const group of listGroups(text, begin)) {
    if (group.from < left && left < group.to && group.to <= right) left = group.from;
    else if (left <= group.from && group.from < right && right < group.to) right = group.to;
  }
  return [left, right];
}

/** The word that the cursor is inside of. */
function findWord(state: EditorState, at: number): { from: number; to: number } | null {
  const line = state.doc.lineAt(at);
  const column = at - line.from;
  const { text } = line;
  if (!isLetter(text[column - 1] ?? '') || !isLetter(text[column] ?? '')) return null;
  let from = column;
  let to = column;
  while (from > 0 && isLetter(text[from - 1]!)) from--;
  while (to < text.length && isLetter(text[to]!)) to++;
  // a command's name is not a word
  return text[from - 1] === '\\' ? null : { from: line.from + from, to: line.from + to };
}

/** The stretches between blank lines, without the spaces around them. */
function listPieces(text: string): [from: number, to: number][] {
  const cuts = [...text.matchAll(blankLines)].map((match) => [match.index, match.index + match[0].length]);
  const starts = [0, ...cuts.map(([, to = 0]) => to)];
  const ends = [...cuts.map(([from = 0]) => from), text.length];
  return starts.flatMap((start, index): [number, number][] => {
    const piece = text.slice(start, ends[index]);
    if (piece.trim() === '') return [];
    const from = start + (piece.length - piece.trimStart().length);
    return [[from, from + piece.trim().length]];
  });
}

/** The selection is this very command, with or without its argument's braces. */
function findWhole(state: EditorState, range: SelectionRange, commands: readonly string[]): Group | null {
  if (range.empty) return null;
  const text = state.sliceDoc(range.from, range.to);
  const trimmed = text.trim();
  if (!trimmed.startsWith('\\') || trimmed.length > reach) return null;
  const start = range.from + text.indexOf(trimmed);
  const group = listGroups(trimmed, start).find(({ from }) => from === start);
  const isWhole = group && group.to === start + trimmed.length && commands.includes(group.command);
  return isWhole ? group : null;
}

/** The innermost such command whose argument contains the selection. */
function findEnclosing(state: EditorState, range: SelectionRange, commands: readonly string[]): Group | null {
  const begin = Math.max(0, range.from - reach);
  const text = state.sliceDoc(begin, Math.min(state.doc.length, range.to + reach));
  // a paragraph ends every argument
  let start = 0;
  for (const match of text.slice(0, range.from - begin).matchAll(blankLines))
    start = match.index + match[0].length;
  const groups = listGroups(text.slice(start), begin + start).filter(
    ({ command, contentFrom, contentTo }) =>
      commands.includes(command) && contentFrom <= range.from && range.to <= contentTo,
  );
  return groups.reduce<Group | null>(
    (inner, group) => (inner === null || group.contentFrom > inner.contentFrom ? group : inner),
    null,
  );
}

/** Every `\command{…}` and `{…}` of a stretch of LaTeX, inner ones first. Linear in its length. */
function listGroups(text: string, offset: number): (Group & { command: string })[] {
  const found: (Group & { command: string })[] = [];
  const open: { command: string; from: number; contentFrom: number }[] = [];
  const token = /\\([A-Za-z]+)\*?\s*(\{)?|\\[\s\S]|%[^\n]*|[{}]/g;
  for (const match of text.matchAll(token)) {
    const end = match.index + match[0].length;
    if (match[2] === '{' || match[0] === '{')
      open.push({ command: match[1] ?? '', from: match.index, contentFrom: end });
    else if (match[0] === '}') {
      const group = open.pop();
      if (group)
        found.push({
          command: group.command,
          from: offset + group.from,
          contentFrom: offset + group.contentFrom,
          contentTo: offset + match.index,
          to: offset + end,
        });
    }
  }
  return found;
}
