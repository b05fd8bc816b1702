import {
  displayEnvironments,
  displayRows,
  headingLevels,
  listEnvironments,
  tableEnvironments,
} from '#latex/source/commands.ts';
import { scanLatex, type Token } from '#latex/source/scan.ts';
import type { VisibleCharacter } from './visible-characters.ts';

/** A part of a body that LaTeX breaks into lines itself: a paragraph, an item, a heading, a row. */
export interface Block {
  start: number;
  end: number;
  isDisplay: boolean;
  isHeading: boolean;
  /** A table of contents: as many lines as there are. */
  isElastic: boolean;
  /** Sums, integrals, fractions, matrices. */
  isTall: boolean;
  /** Its width on the page, in characters. */
  length: number;
  /** Pairs of its letters. */
  pairs: readonly string[];
}

/** Numerator and denominator are above each other: the wider one counts. */
const fractionShare = 0.72;
/** Spaces and signs between the letters that are counted. */
const spaceShare = 1.2;

/** Pairs of neighbouring letters, including the ends of the text. */
export function pairsOf(characters: readonly string[]): string[] {
  const signs = characters.map((character) => character.toLowerCase());
  return signs.length === 0 ? [] : ['', ...signs].map((one, at) => one + (signs[at] ?? ''));
}

const tallCommands =
  /\\(?:d?frac|cfrac|sum|prod|int|iint|oint|begin\{(?:[pbvBV]?matrix|cases|array|aligned)\}|underbrace|overbrace|binom|lim)/;
const isRowed = (name: string) =>
  (displayRows.get(name) ?? 'one') !== 'one' || name === 'split' || tableEnvironments.has(name);

/** The blocks of a body, in order. */
export function listBlocks(body: string, visible: readonly VisibleCharacter[]): Block[] {
  const tokens = scanLatex(body);
  const blocks: Block[] = [];
  let start = 0;
  let isDisplay = false;
  let depth = 0;
  let heading = false;
  const rows: string[] = [];
  let inner = 0;
  const cut = (end: number, next: number) => {
    const text = body.slice(start, end);
    const from = start + (text.length - text.trimStart().length);
    const to = start + text.trimEnd().length;
    const seen = visible.filter((character) => character.start >= from && character.end <= to);
    const count = seen.length;
    const own = body.slice(from, to);
    const isElastic = /\\(?:tableofcontents|printbibliography|listoffigures)\b/.test(own);
    if (to > from && (count > 0 || isElastic)) {
      blocks.push({
        start: from,
        end: to,
        isDisplay,
        isHeading: heading,
        isElastic,
        isTall: tallCommands.test(own),
        pairs: pairsOf(seen.map(({ character }) => character)),
        length: count * spaceShare * (/\\d?frac/.test(own) ? fractionShare : 1),
      });
    }
    start = next;
  };
  for (const token of tokens) {
    if (token.kind === 'open') depth++;
    else if (token.kind === 'verbatim' && body.slice(token.start, token.end).includes('\n')) {
      cut(token.start, token.start);
      for (let feed = body.indexOf('\n', token.start); feed >= 0 && feed < token.end; ) {
        cut(feed, feed);
        feed = body.indexOf('\n', feed + 1);
      }
      cut(token.end, token.end);
    } else if (token.kind === 'close') {
      depth = Math.max(0, depth - 1);
      if (heading && depth === 0) {
        cut(token.end, token.end);
        heading = false;
      }
    } else if (token.kind === 'break') cut(token.start, token.end);
    else if (token.kind === 'begin') {
      if (displayEnvironments.has(token.name) || isRowed(token.name)) {
        if (rows.length === 0) cut(token.start, token.start);
        rows.push(token.name);
        isDisplay = true;
      } else if (rows.length > 0) inner++;
      else if (listEnvironments.has(token.name) || !isInline(token)) cut(token.start, token.start);
    } else if (token.kind === 'end') {
      if (rows.at(-1) === token.name) {
        rows.pop();
        if (rows.length === 0) {
          cut(token.end, token.end);
          isDisplay = false;
        }
      } else if (rows.length > 0) inner = Math.max(0, inner - 1);
      else cut(token.end, token.end);
    } else if (token.kind === 'double-dollar' || (token.kind === 'command' && /^[[\]]$/.test(token.name))) {
      const opens = token.kind === 'command' ? token.name === '[' : !isDisplay;
      if (opens) {
        cut(token.start, token.start);
        isDisplay = true;
      } else {
        cut(token.end, token.end);
        isDisplay = rows.length > 0;
      }
    } else if (token.kind === 'command' && token.name === '\\') {
      if (inner === 0 && depth === 0 && (rows.length === 0 ? !isDisplay : isRowed(rows.at(-1)!)))
        cut(token.end, token.end);
    } else if (token.kind === 'command' && token.name === 'item' && rows.length === 0)
      cut(token.start, token.start);
    else if (token.kind === 'command' && headingLevels.has(token.name)) {
      cut(token.start, token.start);
      heading = true;
    }
  }
  cut(body.length, body.length);
  return blocks;
}

/** Environments that may appear within a line. */
function isInline(token: Token): boolean {
  return token.kind === 'begin' && /matrix|cases|array|aligned|gathered/.test(token.name);
}
