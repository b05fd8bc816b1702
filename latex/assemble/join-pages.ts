/**
 * Joins one page's body to the next: a sentence continues, a hyphenated word is joined, a list continues with the right
 * numbers; tables and displays are never merged.
 */
import {
  floatEnvironments,
  headingLevels,
  listEnvironments,
  rawEnvironments,
  tableEnvironments,
  theoremEnvironments,
} from '../source/commands.ts';
import { readGroup, readOptional, skipSpace } from '../source/matches.ts';
import { scanLatex, type Token } from '../source/scan.ts';
import type { Splice } from '../source/splice.ts';

export interface JoinInput {
  before: string;
  after: string;
  /** False when `before` was cut mid-sentence. */
  endsParagraph: boolean;
  /** False when `after` begins in mid-sentence. */
  startsParagraph: boolean;
}

export interface Join {
  beforeSplices: Splice[];
  afterSplices: Splice[];
  /** Goes between the two. */
  glue: string;
}

interface ListEnd {
  name: string;
  options: string;
  itemCount: number;
  start: number;
  end: number;
}

const blank = new Set<Token['kind']>(['space', 'break', 'comment']);

/** Returns the lists a body ends in, innermost first; empty if it ends in anything else. */
function closingLists(body: string, tokens: readonly Token[]): ListEnd[] {
  const lists: ListEnd[] = [];
  const stack: { name: string; options: string; itemCount: number }[] = [];
  const closed: (ListEnd & { index: number })[] = [];
  tokens.forEach((token, index) => {
    if (token.kind === 'begin') {
      const optional = readOptional(tokens, index + 1);
      const from = countFrom(body, tokens, index);
      stack.push({
        name: token.name,
        options: optional ? body.slice(optional.start, optional.end) : '',
        itemCount: from - 1,
      });
    } else if (token.kind === 'command' && token.name === 'item') {
      const list = stack[stack.length - 1];
      // An item with an explicit label is not counted.
      if (list && !readOptional(tokens, index + 1)) list.itemCount++;
    } else if (token.kind === 'end') {
      const list = stack.pop();
      if (list) closed.push({ ...list, start: token.start, end: token.end, index });
    }
  });
  let index = tokens.length - 1;
  for (let i = closed.length - 1; i >= 0; i--) {
    while (index >= 0 && blank.has(tokens[index]!.kind)) index--;
    const list = closed[i]!;
    if (list.index !== index || !listEnvironments.has(list.name)) break;
    lists.push(list);
    index--;
  }
  return lists.reverse();
}

/** Returns a list's first number: from `[start=4]` or `\setcounter{enumi}{3}` at its head, otherwise 1. */
function countFrom(body: string, tokens: readonly Token[], begin: number): number {
  return startOf(body, tokens, begin)?.value ?? 1;
}

interface ListStart {
  value: number;
  /** The range that sets it. */
  start: number;
  end: number;
}

const arabic = (text: string): number | null => {
  const plain = text.replace(/^[\s({[]*(\\textbf\{|\\arabic)?/, '').replace(/[\s.):}\]]*$/, '');
  if (/^\d{1,3}$/.test(plain)) return Number(plain);
  if (/^[a-z]$/.test(plain)) return plain.charCodeAt(0) - 96;
  return null;
};

function startOf(body: string, tokens: readonly Token[], begin: number): ListStart | null {
  const optional = readOptional(tokens, begin + 1);
  if (optional) {
    const options = body.slice(optional.start, optional.end);
    const found = /(^|,)\s*start\s*=\s*(\d+)/.exec(options);
    if (found) return { value: Number(found[2]), start: optional.start, end: optional.end };
  }
  const head = skipBlank(tokens, optional ? optional.close + 1 : begin + 1);
  const token = tokens[head];
  if (token?.kind !== 'command' || token.name !== 'setcounter') return null;
  const counter = readGroup(tokens, head + 1);
  const value = counter && readGroup(tokens, counter.close + 1);
  if (!counter || !value || !/^enumi{1,3}v?$/.test(body.slice(counter.start, counter.end))) return null;
  const number = Number(body.slice(value.start, value.end));
  if (!Number.isInteger(number)) return null;
  return { value: number + 1, start: token.start, end: tokens[value.close]!.end };
}

function skipBlank(tokens: readonly Token[], index: number): number {
  let i = index;
  while (i < tokens.length && blank.has(tokens[i]!.kind)) i++;
  return i;
}

/** Returns the ranges of explicit labels `\item[4.]` that count up from `from`, or null if they do not. */
function countingLabels(
  body: string,
  tokens: readonly Token[],
  begin: number,
  from: number,
): Splice[] | null {
  const splices: Splice[] = [];
  let depth = 0;
  let next = from;
  for (let i = begin; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.kind === 'begin') depth++;
    if (token.kind === 'end' && --depth === 0) break;
    if (token.kind !== 'command' || token.name !== 'item' || depth !== 1) continue;
    const label = readOptional(tokens, i + 1);
    if (!label || arabic(body.slice(label.start, label.end)) !== next) return null;
    splices.push({ start: tokens[label.open]!.start, end: tokens[label.close]!.end, text: '' });
    next++;
  }
  return splices.length > 0 ? splices : null;
}

/** Returns the index of the `\end` that closes the environment opened at `begin`, or -1. */
function findEnd(tokens: readonly Token[], begin: number): number {
  let depth = 0;
  for (let i = begin; i < tokens.length; i++) {
    if (tokens[i]!.kind === 'begin') depth++;
    else if (tokens[i]!.kind === 'end' && --depth === 0) return i;
  }
  return -1;
}

const stripStart = (options: string) =>
  options
    .replace(/(^|,)\s*(start\s*=\s*\d+|resume\*?)\s*/g, '')
    .replace(/^,/, '')
    .replace(/\s+/g, '');

/** Joins a list at the head of a page to the list that the previous page ended in. */
function joinLists(input: JoinInput, before: Token[], after: Token[]): Join | null {
  const lists = closingLists(input.before, before);
  const begin = skipBlank(after, 0);
  const head = after[begin];
  if (lists.length === 0 || head?.kind !== 'begin' || !listEnvironments.has(head.name)) return null;
  const optional = readOptional(after, begin + 1);
  const options = optional ? input.after.slice(optional.start, optional.end) : '';
  const start = startOf(input.after, after, begin);
  const saysSo = /(^|,)\s*resume/.test(options) || !input.startsParagraph || !input.endsParagraph;
  const candidates = lists
    .map((list, level) => ({ list, level }))
    .filter(
      ({ list }) =>
        list.name === head.name &&
        (stripStart(options) === '' || stripStart(list.options) === stripStart(options)),
    );
  for (const { list, level } of [...candidates].reverse()) {
    const labels = countingLabels(input.after, after, begin, list.itemCount + 1);
    const isOrdered = list.name.startsWith('enumerate');
    const continues = isOrdered
      ? start !== null
        ? start.value === list.itemCount + 1 && start.value > 1
        : saysSo || (labels !== null && list.itemCount > 0)
      : true;
    if (!continues) continue;
    const end = findEnd(after, begin);
    if (end < 0) return null;
    const outer = lists.slice(level + 1);
    const beforeSplices = [
      { start: list.start, end: list.end, text: '' },
      ...outer.map(({ start: from, end: to }) => ({ start: from, end: to, text: '' })),
    ];
    const afterSplices: Splice[] = [
      { start: head.start, end: optional ? after[optional.close]!.end : head.end, text: '' },
      ...(start && (!optional || start.start >= after[optional.close]!.end)
        ? [{ start: start.start, end: start.end, text: '' }]
        : []),
      ...(start === null && labels !== null && isOrdered ? labels : []),
    ];
    if (outer.length > 0) {
      const closing = outer.map(({ name }) => `\n\\end{${name}}`).join('');
      afterSplices.push({ start: after[end]!.end, end: after[end]!.end, text: closing });
    }
    return { beforeSplices, afterSplices, glue: '\n' };
  }
  return null;
}

/** Joins text at the head of a page to the last item of a list. */
function joinIntoItem(input: JoinInput, before: Token[], after: Token[]): Join | null {
  const lists = closingLists(input.before, before);
  const first = skipBlank(after, 0);
  const head = after[first];
  if (lists.length === 0 || !head || input.startsParagraph || input.endsParagraph) return null;
  if (head.kind !== 'text' && head.kind !== 'dollar' && head.kind !== 'command') return null;
  if (head.kind === 'command' && beginsBlock(head.name)) return null;
  let depth = 0;
  let stop = first;
  for (; stop < after.length; stop++) {
    const kind = after[stop]!.kind;
    if (kind === 'begin' && depth === 0 && listEnvironments.has(after[stop]!.name)) break;
    if (kind === 'begin') depth++;
    if (kind === 'end') depth--;
    if (kind === 'break' && depth === 0) break;
  }
  const closing = lists.map(({ name }) => `\n\\end{${name}}`).join('');
  const at = stop < after.length ? after[stop]!.start : input.after.length;
  const rest = input.after.slice(at);
  const restJoin = joinLists(
    { before: input.before, after: rest, endsParagraph: true, startsParagraph: true },
    before,
    scanLatex(rest),
  );
  const hyphen = hyphenSplice(input.before.slice(0, lists[0]!.start), input.after);
  const beforeSplices = lists.map(({ start, end }) => ({ start, end, text: '' }));
  if (restJoin && restJoin.beforeSplices.length > 0) {
    // The list itself continues after this text: close only lists nested in the level it joins.
    const joinedStart = Math.min(...restJoin.beforeSplices.map((splice) => splice.start));
    const inside = lists.filter((list) => list.start < joinedStart);
    const insideClosing = inside.map(({ name }) => `\n\\end{${name}}`).join('');
    return {
      beforeSplices: [...beforeSplices, ...hyphen],
      afterSplices: [
        { start: at, end: at, text: insideClosing },
        ...restJoin.afterSplices.map((splice) => ({
          ...splice,
          start: splice.start + at,
          end: splice.end + at,
        })),
      ],
      glue: hyphen.length > 0 ? '' : '\n',
    };
  }
  return {
    beforeSplices: [...beforeSplices, ...hyphen],
    afterSplices: [{ start: at, end: at, text: closing }],
    glue: hyphen.length > 0 ? '' : '\n',
  };
}

/** "Natur- und Kulturwissenschaft": a hyphen before a conjunction is intended. */
export function suspendsHyphen(following: string): boolean {
  return /^(und|oder|and|or|et|ou|y|o|bis|to|als)$/u.test(following);
}

/** Removes the hyphen of a word cut at the page's end if its second half follows. */
function hyphenSplice(before: string, after: string): Splice[] {
  const tail = /([\p{L}]{2,})(-|\u00ad|\\-|\u2010)\s*$/u.exec(before);
  const head = /^\s*(\p{Ll}+)/u.exec(after);
  if (!tail || !head) return [];
  if (suspendsHyphen(head[1]!)) return [];
  const start = tail.index + tail[1]!.length;
  return [{ start, end: before.length, text: '' }];
}

/** Joins two bodies. */
export function joinBodies(input: JoinInput): Join {
  const before = scanLatex(input.before);
  const after = scanLatex(input.after);
  const intoItem = joinIntoItem(input, before, after);
  if (intoItem) return trimHead(intoItem, input);
  const lists = joinLists(input, before, after);
  if (lists) return trimHead(lists, input);
  const continues = !input.endsParagraph || !input.startsParagraph;
  if (!continues) return { beforeSplices: [], afterSplices: [], glue: '\n\n' };
  const last = before[lastSolid(before)];
  const first = after[skipSpace(after, skipBlank(after, 0))];
  const isBlockHead = first?.kind === 'command' && beginsBlock(first.name);
  const isFloat = (token: Token | undefined) =>
    token !== undefined &&
    (token.kind === 'begin' || token.kind === 'end') &&
    (standing.some((names) => names.has(token.name)) ||
      /^(center|proof|prooftree|algorithmic)$/.test(token.name));
  if (isBlockHead || isFloat(first) || isFloat(last))
    return { beforeSplices: [], afterSplices: [], glue: '\n\n' };
  const hyphen =
    last?.kind === 'text' || last?.kind === 'command' ? hyphenSplice(input.before, input.after) : [];
  return trimHead({ beforeSplices: hyphen, afterSplices: [], glue: hyphen.length > 0 ? '' : '\n' }, input);
}

const beginsBlock = (command: string) => headingLevels.has(command) || command === 'item';
/** Environments that a paragraph does not continue into. */
const standing = [
  floatEnvironments,
  tableEnvironments,
  listEnvironments,
  rawEnvironments,
  theoremEnvironments,
];

function lastSolid(tokens: readonly Token[]): number {
  let i = tokens.length - 1;
  while (i >= 0 && blank.has(tokens[i]!.kind)) i--;
  return i;
}

/** Removes the white space on both sides of the join, so that no blank line remains. */
function trimHead(join: Join, input: JoinInput): Join {
  // Everything removed from the end of `before` (list ends, a hyphen) is one splice with the blanks around it.
  const first = Math.min(input.before.length, ...join.beforeSplices.map(({ start }) => start));
  const tail = input.before.slice(0, first).trimEnd().length;
  const head = /^\s*/.exec(input.after)![0].length;
  const withBlanks = (end: number) => end + /^\s*/.exec(input.after.slice(end))![0].length;
  const opening = join.afterSplices.filter(
    ({ start, end, text }) => text === '' && start === head && end > start,
  );
  const rest = join.afterSplices.filter((splice) => !opening.includes(splice));
  const openingEnd = withBlanks(opening[0]?.end ?? 0);
  return {
    glue: join.glue,
    beforeSplices: tail < input.before.length ? [{ start: tail, end: input.before.length, text: '' }] : [],
    afterSplices: [
      ...(openingEnd > 0 ? [{ start: 0, end: openingEnd, text: '' }] : []),
      // A counter set right after it is removed with its line.
      ...rest.map((splice) =>
        splice.text === '' && splice.start === openingEnd
          ? { ...splice, end: withBlanks(splice.end) }
          : splice,
      ),
    ],
  };
}
