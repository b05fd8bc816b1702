/**
 * Divides a body into fragments that can be isolated on their own: formula, term of a display, table row, line or
 * sentence, list item, paragraph, environment.
 */
import {
  displayEnvironments,
  headingLevels,
  innerMathEnvironments,
  listEnvironments,
  rawEnvironments,
  tableEnvironments,
} from '#latex/source/commands.ts';
import { readGroup, readOptional } from '#latex/source/matches.ts';
import { scanLatex, type Token } from '#latex/source/scan.ts';

export interface Piece {
  kind: 'formula' | 'term' | 'display' | 'row' | 'line' | 'item' | 'paragraph' | 'environment' | 'page';
  start: number;
  end: number;
}

/** Lists every fragment of a body; two of them are nested or disjoint, never overlapping. The last is the page. */
export function listPieces(body: string): Piece[] {
  const tokens = scanLatex(body);
  const pieces: Piece[] = [];
  const add = (kind: Piece['kind'], start: number, end: number) => {
    const text = body.slice(start, end);
    const from = start + (text.length - text.trimStart().length);
    const to = start + text.trimEnd().length;
    if (to > from) pieces.push({ kind, start: from, end: to });
  };
  interface Open {
    name: string;
    start: number;
    contentStart: number;
    itemStart: number;
    rowStart: number;
    paragraphStart: number;
  }
  const stack: Open[] = [
    { name: '', start: 0, contentStart: 0, itemStart: -1, rowStart: -1, paragraphStart: 0 },
  ];
  const top = () => stack[stack.length - 1]!;
  let depth = 0;
  let formula: { start: number; contentStart: number; closer: string; depth: number } | null = null;
  const endParagraph = (at: number, next: number) => {
    const frame = top();
    if (frame.paragraphStart >= 0) addParagraph(frame.paragraphStart, at);
    frame.paragraphStart = next;
  };
  const addParagraph = (start: number, end: number) => {
    add('paragraph', start, end);
    for (const [from, to] of splitLines(body, start, end)) add('line', from, to);
  };

  tokens.forEach((token, index) => {
    if (token.kind === 'open') depth++;
    if (token.kind === 'close') depth = Math.max(0, depth - 1);
    const closer = formulaCloser(token);
    if (formula) {
      if (isCloser(token, formula.closer) && depth <= formula.depth) {
        const isInline = formula.closer === '$' || formula.closer === ')';
        add(isInline ? 'formula' : 'display', formula.start, token.end);
        if (!isInline) addTerms(body, formula.contentStart, token.start, add);
        formula = null;
      } else if (token.kind === 'break' || (token.kind === 'begin' && listEnvironments.has(token.name)))
        formula = null;
      else return;
      if (formula === null && token.kind !== 'break' && token.kind !== 'begin') return;
    } else if (closer) {
      formula = { start: token.start, contentStart: token.end, closer, depth };
      return;
    }
    if (token.kind === 'break' && depth === 0) endParagraph(token.start, token.end);
    if (token.kind === 'begin' && !innerMathEnvironments.has(token.name)) {
      if (depth === 0) endParagraph(token.start, -1);
      const after = argumentsEnd(tokens, index);
      const hasParagraphs =
        !displayEnvironments.has(token.name) &&
        !tableEnvironments.has(token.name) &&
        !rawEnvironments.has(token.name);
      stack.push({
        name: token.name,
        start: token.start,
        contentStart: after,
        itemStart: -1,
        rowStart: tableEnvironments.has(token.name) ? after : -1,
        paragraphStart: hasParagraphs && !listEnvironments.has(token.name) ? after : -1,
      });
    } else if (token.kind === 'end' && stack.length > 1 && stack.some((frame) => frame.name === token.name)) {
      while (stack.length > 1) {
        const frame = top();
        if (frame.paragraphStart >= 0) addParagraph(frame.paragraphStart, token.start);
        if (frame.itemStart >= 0) add('item', frame.itemStart, token.start);
        if (frame.rowStart >= 0) add('row', frame.rowStart, token.start);
        stack.pop();
        const isDisplay = displayEnvironments.has(frame.name);
        add(isDisplay ? 'display' : 'environment', frame.start, token.end);
        if (isDisplay) addTerms(body, frame.contentStart, token.start, add);
        if (frame.name === token.name) break;
      }
      const frame = top();
      if (!listEnvironments.has(frame.name) || frame.itemStart >= 0) frame.paragraphStart = token.end;
      if (frame.rowStart >= 0 || displayEnvironments.has(frame.name)) frame.paragraphStart = -1;
    } else if (token.kind === 'command' && token.name === 'item' && listEnvironments.has(top().name)) {
      const frame = top();
      if (frame.paragraphStart >= 0) addParagraph(frame.paragraphStart, token.start);
      if (frame.itemStart >= 0) add('item', frame.itemStart, token.start);
      const label = readOptional(tokens, index + 1);
      frame.itemStart = label ? tokens[label.close]!.end : token.end;
      frame.paragraphStart = frame.itemStart;
    } else if (token.kind === 'command' && token.name === '\\' && depth === 0 && top().rowStart >= 0) {
      add('row', top().rowStart, token.start);
      top().rowStart = token.end;
    } else if (
      token.kind === 'command' &&
      depth === 0 &&
      headingLevels.has(token.name) &&
      top().paragraphStart >= 0
    ) {
      endParagraph(token.start, token.start);
      const group = readGroup(tokens, index + 1);
      if (group) {
        add('paragraph', token.start, tokens[group.close]!.end);
        top().paragraphStart = tokens[group.close]!.end;
      }
    }
  });
  endParagraph(body.length, -1);
  pieces.push({ kind: 'page', start: 0, end: body.length });
  return pieces;
}

/** Returns the source lines and sentences of a paragraph, divided only outside groups and formulas. */
function splitLines(body: string, start: number, end: number): [number, number][] {
  const lines: [number, number][] = [];
  let from = start;
  let depth = 0;
  let inFormula = false;
  let inDisplay = false;
  const tokens = scanLatex(body.slice(start, end));
  tokens.forEach((token, index) => {
    // A display always divides lines, whatever the source's line breaks.
    const opens = token.kind === 'command' && token.name === '[';
    const closes = token.kind === 'command' && token.name === ']';
    if (depth === 0 && (token.kind === 'double-dollar' || (opens && !inDisplay) || (closes && inDisplay))) {
      if (!inDisplay) lines.push([from, start + token.start]);
      else from = start + token.end;
      inDisplay = !inDisplay;
      return;
    }
    if (inDisplay) return;
    if (token.kind === 'open') depth++;
    if (token.kind === 'close') depth--;
    if (token.kind === 'dollar') inFormula = !inFormula;
    if (token.kind === 'begin' || (token.kind === 'command' && token.name === '(')) depth++;
    if (token.kind === 'end' || (token.kind === 'command' && token.name === ')')) depth--;
    if (token.kind !== 'space' || depth !== 0 || inFormula) return;
    const previous = tokens[index - 1];
    const isSentence = previous?.kind === 'text' && /[.!?]$/.test(body.slice(start, start + previous.end));
    if (!isSentence && !body.slice(start + token.start, start + token.end).includes('\n')) return;
    lines.push([from, start + token.start]);
    from = start + token.end;
  });
  if (lines.length > 0 && !inDisplay) lines.push([from, end]);
  return lines;
}

/** Adds the terms of a display: the text between row ends, column separators and wide spaces. */
function addTerms(
  body: string,
  start: number,
  end: number,
  add: (kind: Piece['kind'], start: number, end: number) => void,
): void {
  let from = start;
  let depth = 0;
  const terms: [number, number][] = [];
  for (const token of scanLatex(body.slice(start, end))) {
    const isCommand = token.kind === 'command';
    if (token.kind === 'open' || token.kind === 'begin' || (isCommand && token.name === 'left')) depth++;
    if (token.kind === 'close' || token.kind === 'end' || (isCommand && token.name === 'right')) depth--;
    const divides =
      token.kind === 'ampersand' || (isCommand && /^(\\|q?quad|notag|nonumber)$/.test(token.name));
    if (!divides || depth !== 0) continue;
    terms.push([from, start + token.start]);
    from = start + token.end;
  }
  terms.push([from, end]);
  for (const [first, last] of terms) {
    // A label is not a formula, and `\tag` belongs to its row.
    if (!/\\(label|tag)\b/.test(body.slice(first, last))) add('term', first, last);
  }
}

function formulaCloser(token: Token): string | null {
  if (token.kind === 'dollar') return '$';
  if (token.kind === 'double-dollar') return '$$';
  if (token.kind === 'command' && token.name === '(') return ')';
  if (token.kind === 'command' && token.name === '[') return ']';
  return null;
}

function isCloser(token: Token, closer: string): boolean {
  if (closer === '$') return token.kind === 'dollar';
  if (closer === '$$') return token.kind === 'double-dollar';
  return token.kind === 'command' && token.name === closer;
}

function argumentsEnd(tokens: readonly Token[], begin: number): number {
  let at = begin + 1;
  let end = tokens[begin]!.end;
  for (let n = 0; n < 3; n++) {
    const optional = tokens[at]?.kind === 'bracket-open' ? readOptional(tokens, at) : null;
    const argument = optional ?? (tokens[at]?.kind === 'open' ? readGroup(tokens, at) : null);
    if (!argument) break;
    end = tokens[argument.close]!.end;
    at = argument.close + 1;
  }
  return end;
}

/** Returns the fragments around `[start, end)`, smallest first; the page is the last. */
export function piecesAround(body: string, start: number, end: number): Piece[] {
  return listPieces(body)
    .filter((piece) => piece.start <= start && piece.end >= end)
    .sort((a, b) => a.end - a.start - (b.end - b.start));
}

/** Returns the fragments nested only in the page, in order: the units of bisection. */
export function topPieces(body: string): Piece[] {
  const all = listPieces(body)
    .filter((piece) => piece.kind !== 'page')
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const top: Piece[] = [];
  for (const piece of all) if (top.length === 0 || piece.start >= top[top.length - 1]!.end) top.push(piece);
  return top;
}
