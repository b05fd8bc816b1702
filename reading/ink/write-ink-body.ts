/** Turns lines of ink in reading order into a page's LaTeX body: paragraphs, items, displayed formulas. */

import type { PackageUse, PagePlace, ShareBox } from '#latex/assemble/page-body.ts';
import { type DoubtfulSpan, maxAlternativeLength } from '#shared/api/conversion.ts';
import { median } from '../box.ts';
import { wordConfidence } from './choice/confidence.ts';
import { readOtherwise } from './choice/other-readings.ts';
import type { ReadToken } from './line/decode-line.ts';
import { beginsAnew, numberOf } from './line/exercise-number.ts';
import type { InkLine } from './read-lines.ts';
import { asDisplay, asNumbered, asText, isSpace, type Manner, split } from './spell-ink.ts';

export interface WrittenInk {
  body: string;
  doubtful: DoubtfulSpan[];
  places: PagePlace[];
  packages: PackageUse[];
}

/** A word or formula below this confidence is marked: on unseen writers a fifth of all, and two thirds of the wrong ones. */
const doubtBelow = 0.7;
/** Confidence of digits before a formula that only a gap distinguishes from a factor: always marked. */
const bareNumber = 0.6;
/** A gap between two lines larger than this many usual ones ends a paragraph. */
const paragraphGap = 1.7;
const item = /^[-–•*·]\s*/;

type Block = { kind: 'heading' | 'text' | 'item' | 'display' | 'numbered'; lines: InkLine[] };

export interface PlacedDrawing {
  name: string;
  box: ShareBox;
  /** A line of writing that could not be read. */
  isUnread?: boolean;
}

/** @param drawings each is placed before the first line that begins below its middle */
export function writeInkBody(all: readonly InkLine[], drawings: readonly PlacedDrawing[] = []): WrittenInk {
  const writer = new Writer();
  const hasText = all.some(({ isNote }) => !isNote);
  // a page that has only notes is a page of text
  const lines = hasText ? all.filter(({ isNote }) => !isNote) : all;
  const notes = Map.groupBy(hasText ? groupNotes(all.filter(({ isNote }) => isNote)) : [], ([first]) =>
    lines.reduce((a, b) => (awayFrom(b, first!) < awayFrom(a, first!) ? b : a)),
  );
  const gaps = lines.slice(1).map((line, at) => gapBetween(lines[at]!, line));
  const usual = median(gaps) || 0;
  const height = median(lines.map(({ box }) => box[3])) || 0;
  const blocks: Block[] = [];
  for (const [at, line] of lines.entries()) {
    const kind = isHeading(line, lines)
      ? 'heading'
      : isDisplay(line)
        ? numberOf(line)
          ? 'numbered'
          : 'display'
        : item.test(textOf(line))
          ? 'item'
          : 'text';
    const last = blocks.at(-1);
    const above = lines[at - 1];
    const isApart =
      above &&
      (gapBetween(above, line) > Math.max(usual, height / 3) * paragraphGap ||
        drawings.some(({ box }) => middleOf(box) >= above.box[1] && middleOf(box) < line.box[1]));
    const goesOn =
      kind === 'text' &&
      last &&
      (last.kind === 'text' || last.kind === 'item') &&
      !isApart &&
      !beginsAnew(line);
    if (goesOn) last.lines.push(line);
    else blocks.push({ kind, lines: [line] });
  }
  const waiting = [...drawings].sort((a, b) => a.box[1] - b.box[1]);
  for (const [at, block] of blocks.entries()) {
    const top = block.lines[0]!.box[1];
    while (
      waiting[0] &&
      middleOf(waiting[0].box) < top &&
      (block.kind !== 'item' || blocks[at - 1]?.kind !== 'item')
    )
      writer.drawing(waiting.shift()!);
    if (block.kind === 'item' && blocks[at - 1]?.kind !== 'item') writer.line('\\begin{itemize}');
    if (block.kind === 'item') writer.raw('\\item ');
    for (const line of block.lines) {
      for (const note of notes.get(line) ?? []) writer.note(note);
      if (block.kind === 'display') writer.display(line);
      else if (block.kind === 'numbered') writer.numbered(line);
      else if (block.kind === 'heading') writer.heading(line);
      else writer.text(line, block.kind === 'item' && line === block.lines[0]);
    }
    if (block.kind === 'item' && blocks[at + 1]?.kind !== 'item') writer.line('\\end{itemize}');
    const next = blocks[at + 1];
    if (!(block.kind === 'item' && next?.kind === 'item') && !isOneParagraph(block, next)) writer.line('');
  }
  for (const drawing of waiting) writer.drawing(drawing);
  return writer.end();
}

/** A formula belongs to the paragraph above it; so does text below it that continues with a small letter. */
function isOneParagraph(block: Block, next: Block | undefined): boolean {
  if (block.kind === 'text') return next?.kind === 'display';
  return block.kind === 'display' && next?.kind === 'text' && /^\p{Ll}/u.test(textOf(next.lines[0]!));
}

/** A line within other text: not a display, an item or a paragraph of its own. */
export function writeInkInline(line: InkLine): WrittenInk {
  const writer = new Writer();
  writer.text(line, false);
  return writer.end();
}

/** A line in the margin, next to other text. */
export function writeInkNote(line: InkLine): WrittenInk {
  const writer = new Writer();
  writer.note([line]);
  return writer.end();
}

/** 0 … 1: the expected share of a line's signs that are in correctly read words and formulas. */
export function shareRight(line: InkLine): number {
  const pieces = split(line.tokens).filter(({ tokens }) => !isSpace(tokens[0]!));
  const signs = pieces.reduce((sum, { tokens }) => sum + tokens.length, 0);
  const right = pieces.reduce((sum, { tokens }) => sum + wordConfidence(tokens, line) * tokens.length, 0);
  return signs === 0 ? 0 : right / signs;
}

const middleOf = ([, top, , height]: ShareBox) => top + height / 2;

const awayFrom = (a: InkLine, b: InkLine) => Math.abs(middleOf(a.box) - middleOf(b.box));

/** Lines of one note are closer together than this many of their heights. */
const noteGap = 1;

function groupNotes(lines: readonly InkLine[]): InkLine[][] {
  const groups: InkLine[][] = [];
  for (const line of [...lines].sort((a, b) => a.box[1] - b.box[1])) {
    const above = groups.at(-1)?.at(-1);
    if (above && gapBetween(above, line) < noteGap * line.box[3]) groups.at(-1)!.push(line);
    else groups.push([line]);
  }
  return groups;
}

function gapBetween(above: InkLine, below: InkLine): number {
  return Math.max(0, below.box[1] - (above.box[1] + above.box[3]));
}

function textOf({ tokens }: InkLine): string {
  return tokens.map(({ token }) => token).join('');
}

/** Length of the longest heading, in characters. */
const longestHeading = 60;

const hasWord = (text: string) => /\p{L}{3}/u.test(text.replaceAll(/\\\p{L}+/gu, ''));

/** The page's first line, if it alone is underlined. */
function isHeading(line: InkLine, lines: readonly InkLine[]): boolean {
  const isFirst = line === lines[0] && lines.length > 1;
  const isAlone = lines.every(({ isUnderlined }, at) => (at === 0) === (isUnderlined ?? false));
  const text = textOf(line);
  return isFirst && isAlone && text.length <= longestHeading && hasWord(text) && !isDisplay(line);
}

/** A line that is one formula, apart from a number in front. */
function isDisplay(line: InkLine): boolean {
  const pieces = split(line.tokens);
  return pieces.length === 1 && pieces[0]!.isMaths;
}

class Writer {
  #body = '';
  readonly #doubtful: DoubtfulSpan[] = [];
  readonly #places: PagePlace[] = [];

  raw(text: string): void {
    this.#body += text;
  }

  line(text: string): void {
    if (text === '' && (this.#body === '' || this.#body.endsWith('\n\n'))) return;
    this.#body += `${text}\n`;
  }

  drawing({ name, box, isUnread }: PlacedDrawing): void {
    const start = this.#body.length;
    this.raw(
      `\\begin{center}\n\\includegraphics[width=${Math.min(1, box[2]).toFixed(2)}\\linewidth]{${name}}\n\\end{center}`,
    );
    const end = this.#body.length;
    this.#places.push({ start, end, box });
    if (isUnread) this.#doubtful.push({ start, end, confidence: 0, reason: 'This line could not be read.' });
    this.raw('\n\n');
  }

  /** Next to the paragraph that follows. */
  note(lines: readonly InkLine[]): void {
    this.raw('\\marginpar{\\raggedright\\footnotesize\n');
    for (const line of lines) this.text(line, false);
    this.raw('}%\n');
  }

  heading(line: InkLine): void {
    this.raw('\\section*{');
    this.text(line, false);
    this.#body = `${this.#body.trimEnd()}}\n`;
  }

  display(line: InkLine): void {
    const start = this.#body.length;
    this.raw('\\[ ');
    for (const { tokens } of split(line.tokens)) this.#say(tokens, line, asDisplay);
    this.raw(' \\]');
    this.#place(start, line);
  }

  /** The number as text, then the formula. */
  numbered(line: InkLine): void {
    const start = this.#body.length;
    const end = 1 + numberOf(line);
    const number = line.tokens.slice(1, end);
    const digits = number.filter(({ token }) => /\d/.test(token));
    const marks = number.slice(digits.length).map(({ token }) => (token === '\\cdot' ? '.' : token));
    const isBare = marks.length === 0 && !line.isRinged;
    const written = line.isRinged && !marks.includes(')') ? '.' : marks.join('') || '.';
    const manner: Manner = {
      from: 'maths',
      write: (tokens) => `${tokens.map(({ token }) => token).join('')}${written}`,
      takes: (tokens) => tokens.every((token) => /^\d$/.test(token)),
    };
    this.#say(digits, line, manner, isBare ? bareNumber : 1);
    this.raw(' ');
    const rest = line.tokens.slice(end, -1);
    this.#say(rest, line, asNumbered);
    this.#place(start, line);
  }

  /** @param isItem whether to drop the item's mark */
  text(line: InkLine, isItem: boolean): void {
    const start = this.#body.length;
    let pieces = split(line.tokens);
    if (isItem) pieces = pieces.slice(pieces[1] && isSpace(pieces[1].tokens[0]!) ? 2 : 1);
    for (const { isMaths, tokens } of pieces) {
      if (!isMaths && isSpace(tokens[0]!)) this.raw(' ');
      else this.#say(tokens, line, asText, 1, isMaths);
    }
    this.#place(start, line);
  }

  end(): WrittenInk {
    const body = this.#body.trimEnd();
    const hasMaths = /\$|\\\[/.test(body);
    const hasCancel = body.includes('\\cancel{');
    // another reading must not need a package that the page does not load
    const isFit = (latex: string) =>
      latex.length <= maxAlternativeLength &&
      (hasMaths || !latex.includes('$')) &&
      (hasCancel || !latex.includes('\\cancel{'));
    return {
      body,
      doubtful: this.#doubtful.map(({ alternatives, ...span }) => {
        const fit = alternatives?.filter(isFit) ?? [];
        return fit.length > 0 ? { ...span, alternatives: fit } : span;
      }),
      places: this.#places,
      packages: [
        ...(hasMaths ? [{ name: 'amsmath' }, { name: 'amssymb' }] : []),
        ...(body.includes('\\includegraphics') ? [{ name: 'graphicx' }] : []),
        ...(hasCancel ? [{ name: 'cancel' }] : []),
      ],
    };
  }

  #place(start: number, line: InkLine): void {
    if (this.#body.length > start) this.#places.push({ start, end: this.#body.length, box: line.box });
    this.raw('\n');
  }

  /**
   * @param tokens part of the line
   * @param most upper bound of its confidence
   * @param isEnclosed whether it includes the delimiters of a formula
   */
  #say(tokens: readonly ReadToken[], line: InkLine, manner: Manner, most = 1, isEnclosed = false): void {
    const start = this.#body.length;
    const around = isEnclosed ? 1 : 0;
    const first = line.tokens.indexOf(tokens[0]!) - around;
    const last = line.tokens.indexOf(tokens.at(-1)!) + around;
    this.raw(manner.write(line.tokens.slice(first, last + 1)));
    const confidence = Math.min(most, wordConfidence(tokens, line));
    if (confidence >= doubtBelow) return;
    const rounded = Math.round(confidence * 100) / 100;
    const alternatives = readOtherwise(line, first, last + 1, manner.from)
      .filter(manner.takes ?? (() => true))
      .map((said) => manner.write(said.map((token) => ({ token }))));
    this.#doubtful.push({
      start,
      end: this.#body.length,
      confidence: rounded,
      reason: 'unclear handwriting',
      ...(alternatives.length > 0 ? { alternatives } : {}),
    });
  }
}
