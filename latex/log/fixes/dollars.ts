/**
 * A paragraph that lacks a dollar: chooses the place that best separates words from formulas. Also displayed
 * formulas without their other end.
 */
import { mathOnlyCommands } from '../../source/commands.ts';
import { scanLatex, type Token } from '../../source/scan.ts';
import type { SourceText } from '../../source/source-text.ts';
import type { Complaint, Fixer, Proposal } from '../rule.ts';
import { cut, insertAt } from './edits.ts';

/** Places to try. */
const maxPlaces = 4;

interface Unit {
  start: number;
  end: number;
  /** Above zero: belongs in a formula; below: in text. */
  lean: number;
  isDollar: boolean;
}

/** The words of a paragraph, each with how mathematical it looks. Braces keep their contents together. */
function listUnits(text: string, offset: number): Unit[] {
  const tokens = scanLatex(text);
  const units: Unit[] = [];
  let open: Token[] = [];
  let depth = 0;
  const flush = () => {
    const [first] = open;
    if (first) {
      const last = open.at(-1)!;
      units.push({
        start: offset + first.start,
        end: offset + last.end,
        lean: leanOf(open, text),
        isDollar: false,
      });
    }
    open = [];
  };
  for (const token of tokens) {
    if (token.kind === 'open') depth++;
    else if (token.kind === 'close') depth = Math.max(0, depth - 1);
    const isDollar = token.kind === 'dollar';
    if (isDollar || (depth === 0 && /^(?:space|break|comment|verbatim)$/.test(token.kind))) {
      flush();
      if (isDollar)
        units.push({ start: offset + token.start, end: offset + token.end, lean: 0, isDollar: true });
      continue;
    }
    open.push(token);
  }
  flush();
  return units;
}

function leanOf(tokens: readonly Token[], text: string): number {
  let lean = 0;
  for (const { kind, name, start, end } of tokens) {
    if (kind === 'superscript' || kind === 'subscript') lean += 3;
    else if (kind === 'command') lean += mathOnlyCommands.has(name) ? 3 : /^[a-z]{4,}$/.test(name) ? -1 : 0;
    else if (kind === 'text') {
      const word = text.slice(start, end);
      if (/^\p{L}{3,}[.,;:?!]?$/u.test(word)) lean -= 2;
      else if (/^\p{L}{2}[.,;:]?$/u.test(word)) lean -= 1;
      else if (/[=<>+*/|]/.test(word)) lean += 2;
      else if (/^[a-zA-Z][.,;:]?$/.test(word)) lean += word[0] === 'a' || word[0] === 'I' ? 0 : 1;
      else if (/^[-\d().,]+$/.test(word)) lean += 0.3;
    }
  }
  return lean;
}

/** The paragraph, or part of a table or list, that contains a line, as offsets. */
function paragraphAround(source: SourceText, line: number): { from: number; to: number } {
  const isEdge = (text: string) =>
    text.trim() === '' || /^\s*\\(?:begin|end|item|(?:sub)*section|chapter|\[|\])/.test(text);
  let first = line;
  while (first > 1 && !isEdge(source.lineText(first)) && source.lineText(first - 1).trim() !== '') first--;
  // an environment or heading that begins here is outside the paragraph
  if (first < line && /^\s*\\(?:begin|end|(?:sub)*section|chapter|\])/.test(source.lineText(first))) first++;
  let last = line;
  while (last < source.lineCount && !isEdge(source.lineText(last + 1))) last++;
  return { from: source.startOf(first), to: source.endOf(last) };
}

/** The cells and items of a text: a formula does not continue from one to the next. */
function partsOf(
  source: SourceText,
  { from, to }: { from: number; to: number },
): { from: number; to: number }[] {
  const parts: { from: number; to: number }[] = [];
  let start = from;
  let depth = 0;
  for (const { kind, name, start: at, end } of scanLatex(source.text.slice(from, to))) {
    if (kind === 'begin') depth++;
    else if (kind === 'end') depth = Math.max(0, depth - 1);
    const isEdge = kind === 'ampersand' || (kind === 'command' && (name === '\\' || name === 'item'));
    if (!isEdge || depth > 0) continue;
    parts.push({ from: start, to: from + at });
    start = from + end;
  }
  return [...oddGroups(source, from, to), ...parts, { from: start, to }];
}

/** The contents of braces with an odd number of dollars, innermost first. */
function oddGroups(source: SourceText, from: number, to: number): { from: number; to: number }[] {
  const stack: { start: number; dollars: number }[] = [];
  const found: { from: number; to: number }[] = [];
  for (const { kind, start, end } of scanLatex(source.text.slice(from, to))) {
    if (kind === 'open') stack.push({ start: end, dollars: 0 });
    else if (kind === 'dollar' && stack.length > 0) stack.at(-1)!.dollars++;
    else if (kind === 'close') {
      const group = stack.pop();
      if (group && group.dollars % 2 === 1) found.push({ from: from + group.start, to: from + start });
    }
  }
  return found;
}

function placeDollar(source: SourceText, line: number): Proposal[] {
  const whole = paragraphAround(source, line);
  const parts = partsOf(source, whole);
  const isOdd = ({ from, to }: { from: number; to: number }) =>
    listUnits(source.text.slice(from, to), from).filter(({ isDollar }) => isDollar).length % 2 === 1;
  // an & that splits a formula
  const torn = parts.findIndex((part, index) => {
    const next = parts[index + 1];
    return next?.from === part.to + 1 && source.text[part.to] === '&' && isOdd(part) && isOdd(next);
  });
  const at = parts[torn]?.to;
  if (at !== undefined) return [{ title: 'Remove this &', edits: [cut(at, at + 1)] }];
  const found = parts.flatMap((part) => placeInPart(source, part)).slice(0, 2 * maxPlaces);
  return found.length > 0 ? found : placeInPart(source, whole);
}

function placeInPart(source: SourceText, { from, to }: { from: number; to: number }): Proposal[] {
  const units = listUnits(source.text.slice(from, to), from);
  const dollars = units.filter(({ isDollar }) => isDollar).length;
  if (dollars % 2 === 0) return [];
  // effect of a dollar before unit k: the modes before it stay, those after it are inverted
  const modes: number[] = [];
  let mode = -1;
  for (const unit of units) {
    if (unit.isDollar) mode = -mode;
    modes.push(unit.isDollar ? 0 : mode);
  }
  const lean = (index: number) => units[index]!.lean * modes[index]!;
  let before = 0;
  let after = units.reduce((sum, _, index) => sum - lean(index), 0);
  const places: { at: number; score: number }[] = [];
  for (let index = 0; index <= units.length; index++) {
    const [left, right] = [units[index - 1], units[index]];
    // a formula opens before a word and closes after one
    const opens = index === 0 ? true : modeAt(modes, units, index) < 0;
    const at = opens ? right?.start : left?.end;
    // $$ would begin a display
    const isDouble = (left?.isDollar && at === left.end) || (right?.isDollar && at === right.start);
    if (at !== undefined && !isDouble)
      places.push({ at: opens ? at : trimMark(source, at), score: before + after });
    if (right) {
      before += lean(index);
      after += lean(index);
    }
  }
  places.sort((a, b) => b.score - a.score);
  const distinct = [...new Map(places.map((place) => [place.at, place])).values()];
  return distinct
    .slice(0, maxPlaces)
    .map(({ at }) => ({ title: 'Add the missing $', edits: [insertAt(at, '$')] }));
}

/** The mode before a unit: -1 text, 1 mathematics. */
function modeAt(modes: readonly number[], units: readonly Unit[], index: number): number {
  let mode = -1;
  for (let at = 0; at < index; at++) if (units[at]!.isDollar) mode = -mode;
  return modes.length > 0 ? mode : -1;
}

/** Leaves a full stop outside the formula. */
const trimMark = (source: SourceText, at: number) =>
  /[.,;:?!]/.test(source.text[at - 1] ?? '') ? at - 1 : at;

/** Dollars near the line that TeX names, and on the lines before it: TeX notices at the end of the paragraph. */
export const pairDollars: Fixer = ({ line, shownLine }, source) => {
  const proposals: Proposal[] = [];
  for (const near of new Set([shownLine ?? line, line])) {
    if (near === null) continue;
    for (let at = near; at >= Math.max(1, near - 3) && proposals.length === 0; at--)
      if (source.lineText(at).trim() !== '') proposals.push(...placeDollar(source, at));
  }
  return [...proposals, ...pairDisplays(source)];
};

/** The line of the formula that lacks a dollar: TeX notices later. */
export function findDollarLine({ line }: Pick<Complaint, 'line'>, source: SourceText): number | null {
  for (let at = line ?? 0; at >= Math.max(1, (line ?? 0) - 3); at--) {
    const [first] = source.lineText(at).trim() === '' ? [] : placeDollar(source, at);
    if (first) return source.positionOf(first.edits[0]!.from).line;
  }
  return null;
}

const opposite: Record<string, string> = { '[': '\\]', ']': '\\[', '(': '\\)', ')': '\\(' };

/** `\[` and `\(` that nothing closes, `\]` and `\)` that nothing opens. */
function pairDisplays(source: SourceText): Proposal[] {
  const { tokens } = source.annotated;
  let open: Token | null = null;
  const found: Token[] = [];
  for (const token of tokens) {
    if (token.kind !== 'command' || !(token.name in opposite)) {
      if (token.kind === 'break' && open) {
        found.push(open);
        open = null;
      }
      continue;
    }
    if (token.name === '[' || token.name === '(') {
      if (open) found.push(open);
      open = token;
    } else if (open === null) found.push(token);
    else open = null;
  }
  if (open) found.push(open);
  return found.slice(0, 2).flatMap((token) => {
    const mark = opposite[token.name]!;
    const { line } = source.positionOf(token.start);
    const isOpener = token.name === '[' || token.name === '(';
    const title = `Add ${mark}`;
    const remove = { title: `Remove \\${token.name}`, edits: [cut(token.start, token.end)] };
    if (!isOpener) {
      const text = source.lineText(line);
      const isAlone = text.trim().startsWith(`\\${token.name}`);
      const at = isAlone ? source.startOf(line - 1) : source.startOf(line);
      return [{ title, edits: [insertAt(at, `${mark} `)] }, remove];
    }
    const after = source.text.slice(token.end, source.endOf(line)).trim();
    const last = after === '' ? source.endOf(line + 1) : source.endOf(line);
    const paragraph = /\n[ \t]*\n|$/.exec(source.text.slice(token.end))!.index + token.end;
    return [...new Set([last, paragraph])]
      .map((at): Proposal => ({ title, edits: [insertAt(at, ` ${mark}`)] }))
      .concat(remove);
  });
}
