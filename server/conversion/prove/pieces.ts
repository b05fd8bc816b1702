/** The pieces of a body that can stand or fall alone: formula, table row, list item, paragraph, environment. */
import {
  displayEnvironments,
  innerMathEnvironments,
  listEnvironments,
  rawEnvironments,
} from '#shared/latex/modes.ts';
import { readGroup, readOptional, scanLatex, type Token } from '#shared/latex/scan.ts';

export interface Piece {
  kind: 'formula' | 'display' | 'row' | 'item' | 'paragraph' | 'environment' | 'page';
  start: number;
  end: number;
}

/** Every piece of a body; a piece lies in another or beside it, never across. The last one is the page. */
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
  let formula: { start: number; closer: string; depth: number } | null = null;
  const endParagraph = (at: number, next: number) => {
    const frame = top();
    if (frame.paragraphStart >= 0) add('paragraph', frame.paragraphStart, at);
    frame.paragraphStart = next;
  };
  const isTable = (name: string) => /^(tabular|tabularx|tabulary|longtable)\*?$/.test(name);

  tokens.forEach((token, index) => {
    if (token.kind === 'open') depth++;
    if (token.kind === 'close') depth = Math.max(0, depth - 1);
    const closer = formulaCloser(token);
    if (formula) {
      if (isCloser(token, formula.closer) && depth <= formula.depth) {
        add(
          formula.closer === '$' || formula.closer === ')' ? 'formula' : 'display',
          formula.start,
          token.end,
        );
        formula = null;
      } else if (token.kind === 'break' || (token.kind === 'begin' && listEnvironments.has(token.name)))
        formula = null;
      else return;
      if (formula === null && token.kind !== 'break' && token.kind !== 'begin') return;
    } else if (closer) {
      formula = { start: token.start, closer, depth };
      return;
    }
    if (token.kind === 'break' && depth === 0) endParagraph(token.start, token.end);
    if (token.kind === 'begin' && !innerMathEnvironments.has(token.name)) {
      if (depth === 0) endParagraph(token.start, -1);
      const after = argumentsEnd(tokens, index);
      const hasParagraphs =
        !displayEnvironments.has(token.name) && !isTable(token.name) && !rawEnvironments.has(token.name);
      stack.push({
        name: token.name,
        start: token.start,
        contentStart: after,
        itemStart: -1,
        rowStart: isTable(token.name) ? after : -1,
        paragraphStart: hasParagraphs && !listEnvironments.has(token.name) ? after : -1,
      });
    } else if (token.kind === 'end' && stack.length > 1 && stack.some((frame) => frame.name === token.name)) {
      while (stack.length > 1) {
        const frame = top();
        if (frame.paragraphStart >= 0) add('paragraph', frame.paragraphStart, token.start);
        if (frame.itemStart >= 0) add('item', frame.itemStart, token.start);
        if (frame.rowStart >= 0) add('row', frame.rowStart, token.start);
        stack.pop();
        add(displayEnvironments.has(frame.name) ? 'display' : 'environment', frame.start, token.end);
        if (frame.name === token.name) break;
      }
      const frame = top();
      if (!listEnvironments.has(frame.name) || frame.itemStart >= 0) frame.paragraphStart = token.end;
      if (frame.rowStart >= 0 || displayEnvironments.has(frame.name)) frame.paragraphStart = -1;
    } else if (token.kind === 'command' && token.name === 'item' && listEnvironments.has(top().name)) {
      const frame = top();
      if (frame.paragraphStart >= 0) add('paragraph', frame.paragraphStart, token.start);
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
      /^(section|subsection|subsubsection|paragraph|chapter)\*?$/.test(token.name) &&
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

/** The pieces around `[start, end)`, smallest first; the page is the last. */
export function piecesAround(body: string, start: number, end: number): Piece[] {
  return listPieces(body)
    .filter((piece) => piece.start <= start && piece.end >= end)
    .sort((a, b) => a.end - a.start - (b.end - b.start));
}

/** Pieces not inside any other but the page, in order: what a page is bisected by. */
export function topPieces(body: string): Piece[] {
  const all = listPieces(body)
    .filter((piece) => piece.kind !== 'page')
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const top: Piece[] = [];
  for (const piece of all) if (top.length === 0 || piece.start >= top[top.length - 1]!.end) top.push(piece);
  return top;
}
