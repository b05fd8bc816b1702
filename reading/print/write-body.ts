/** Writes a page's LaTeX body from lines, tables and figures in reading order. */
import type { DoubtfulSpan } from '#shared/api/conversion.ts';
import { heightOf, median, widthOf } from '../box.ts';
import { isContentsHeading } from '../text-layer/blocks/contents.ts';
import type { TranscribedPage } from '../transcriber.ts';
import { BodyWriter } from './body-writer.ts';
import { isMathsLine, readHeading, readItemMark } from './classify-lines.ts';
import { findFurniture } from './find-furniture.ts';
import type { Listing } from './find-listings.ts';
import type { Table } from './find-tables.ts';
import { type Caption, type PlacedFigure, placeParts } from './place-parts.ts';
import { confidenceOf, type Line, type PrintedPage } from './printed-page.ts';

export interface PageParts {
  page: PrintedPage;
  /** Lines outside tables and figures, in reading order. */
  lines: Line[];
  tables: Table[];
  figures: PlacedFigure[];
  listings: Listing[];
  isFirstPage: boolean;
}

export interface WrittenBody {
  body: string;
  doubtful: DoubtfulSpan[];
  title?: TranscribedPage['title'];
  packages: TranscribedPage['packages'];
  hasFormula: boolean;
  startsParagraph: boolean;
  endsParagraph: boolean;
}

/** A title is in the upper part of the first page, and larger than the text by this factor. */
const titleRatio = 1.2;
const titleReach = 0.3;
/** Left and right margins of a centred line differ by less than this share of the page's width. */
const centreTolerance = 0.04;

export function writeBody({ page, lines, tables, figures, listings, isFirstPage }: PageParts): WrittenBody {
  const ofWords = (measure: (line: Line) => number) =>
    median(lines.flatMap((line) => line.words.map(() => measure(line)))) || 0;
  const bodySize = ofWords(({ size }) => size) || 1;
  const bodyStroke = ofWords(({ stroke = 0 }) => stroke);
  const clear = lines.filter((line) => line.display || !isNoise(line, bodySize));
  const furniture = findFurniture(page, clear);
  const kept = clear.filter((line) => !furniture.has(line));
  const writer = new BodyWriter(page.width);
  const title = isFirstPage ? takeTitle(kept, page, bodySize) : undefined;
  const parts = placeParts(kept, tables, figures, listings);
  const flow = new Flow(
    writer,
    page,
    { size: bodySize, stroke: bodyStroke },
    findBulletColumns(kept, bodySize),
  );
  for (const part of parts) {
    if (part.kind === 'line') flow.line(part.line);
    else if (part.kind === 'table') flow.table(part.table, part.caption);
    else if (part.kind === 'figure') flow.figure(part.figure, part.caption);
    else flow.listing(part.listing, part.caption);
  }
  flow.end();
  const lastLine = parts.at(-1)?.kind === 'line' ? kept.at(-1) : undefined;
  const firstLine = parts[0]?.kind === 'line' ? kept[0] : undefined;
  return {
    body: writer.body.trimEnd(),
    doubtful: writer.doubtful,
    ...(title ? { title } : {}),
    packages: [
      ...(figures.length ? [{ name: 'graphicx' }] : []),
      ...(writer.body.includes('\\begin{lstlisting}') ? [{ name: 'listings' }] : []),
      ...(/\\(?:top|mid|bottom)rule/.test(writer.body) ? [{ name: 'booktabs' }] : []),
      ...(/\$|\\\[|\\begin\{(?:equation|align|gather)/.test(writer.body)
        ? [{ name: 'amsmath' }, { name: 'amssymb' }]
        : []),
    ],
    hasFormula: writer.hasFormula,
    startsParagraph: !(firstLine?.words[0] && startsSmall(firstLine) && !isMathsLine(firstLine)),
    endsParagraph: !(lastLine?.words[0] && isCutMidSentence(lastLine, kept)),
  };
}

function startsSmall({ words: [first] }: Line): boolean {
  return first !== undefined && first.latex === undefined && /^\p{Ll}/u.test(first.text);
}

const textOf = (line: Line) => line.words.map((word) => word.text).join(' ');

/** An entry ends with a page number set apart. */
function isContentsEntry({ words, size }: Line): boolean {
  const [before, last] = words.slice(-2);
  return (
    before !== undefined &&
    /^\d{1,4}$/.test(last!.text) &&
    (last!.left - before.right > size || /^[.…·]+$/.test(before.text))
  );
}

const hasFormulas = (line: Line) => line.words.some(({ latex }) => latex !== undefined);

/** Specks and shadows that Tesseract takes for writing: almost no height, or nothing legible. */
function isNoise(line: Line, bodySize: number): boolean {
  const text = line.words.map((word) => word.text).join('');
  if (heightOf(line) < bodySize * 0.25 && !/\p{L}{3}/u.test(text)) return true;
  return !/[\p{L}\p{N}]/u.test(text) && confidenceOf(line.words) < 0.6;
}

function isCutMidSentence(line: Line, all: readonly Line[]): boolean {
  const text = line.words.at(-1)!.text;
  const right = Math.max(...all.map((other) => other.right));
  return line.right > right - line.size * 2 && !/[.!?:;»”")]$/.test(text) && !isMathsLine(line);
}

function isCentred(line: Line, page: PrintedPage, all: readonly Line[], minMargin = 0.06): boolean {
  const left = Math.min(...all.map((other) => other.left));
  const right = Math.max(...all.map((other) => other.right));
  const [before, after] = [line.left - left, right - line.right];
  return Math.abs(before - after) < page.width * centreTolerance && before > page.width * minMargin;
}

/** Removes the title's lines from `lines`. */
function takeTitle(lines: Line[], page: PrintedPage, bodySize: number): TranscribedPage['title'] {
  const isTitleLine = (line: Line | undefined): line is Line =>
    line !== undefined &&
    !line.display &&
    line.bottom < page.height * titleReach &&
    line.size > bodySize * titleRatio &&
    isCentred(line, page, lines, 0.02) &&
    !/^\d/.test(line.words[0]!.text) &&
    confidenceOf(line.words) > 0.7;
  const start = lines.slice(0, 4).findIndex(isTitleLine);
  if (start < 0) return undefined;
  let end = start + 1;
  while (isTitleLine(lines[end]) && end - start < 3) end++;
  const writer = new BodyWriter(page.width);
  writer.prose(lines.splice(start, end - start));
  return { title: writer.body.replace(/\n/g, ' ') };
}

/** Left edges shared by at least two bullets; a single small sign is not a list. */
function findBulletColumns(lines: readonly Line[], size: number): number[] {
  const lefts = lines.filter((line) => readItemMark(line)?.label === null).map((line) => line.left);
  return lefts.filter((left) => lefts.filter((other) => Math.abs(other - left) < size).length >= 2);
}

interface OpenList {
  environment: 'itemize' | 'enumerate';
  /** Left edge of its marks. */
  left: number;
}

/** Writes blocks one after the other and tracks the open lists. */
class Flow {
  private readonly lists: OpenList[] = [];
  private paragraph: { lines: Line[]; isCentred: boolean } | null = null;
  private readonly writer: BodyWriter;
  private readonly page: PrintedPage;
  private readonly body: { size: number; stroke: number };
  private readonly bodySize: number;
  private readonly bulletColumns: number[];
  private sectionNumber = 0;
  private readonly floats = { table: 0, figure: 0 };
  private isInContents = false;
  private lastFormula: Line | null = null;
  private isAfterDisplay = false;

  constructor(
    writer: BodyWriter,
    page: PrintedPage,
    body: { size: number; stroke: number },
    bulletColumns: number[],
  ) {
    this.writer = writer;
    this.page = page;
    this.body = body;
    this.bodySize = body.size;
    this.bulletColumns = bulletColumns;
  }

  line(line: Line): void {
    if (line.display) {
      this.display(line.display);
      return;
    }
    if (this.isInContents && isContentsEntry(line)) return;
    this.isInContents = isContentsHeading(textOf(line));
    if (this.isInContents) {
      this.closeParagraph();
      while (this.lists.length) this.closeList();
      this.writer.raw('\\tableofcontents\n\n');
      return;
    }
    const heading = readHeading(line, this.body);
    const mark = this.itemMark(line);
    const isMaths = !hasFormulas(line) && isMathsLine(line);
    const isHeading = heading !== null && !isMaths && (!hasFormulas(line) || heading.number !== null);
    if (isHeading) this.heading(heading, line);
    else if (mark) this.item(line, mark);
    else if (isMaths) this.formula(line);
    else this.prose(line);
  }

  table(table: Table, caption: Caption | null): void {
    this.closeParagraph();
    this.leaveListsFor(table.box.left);
    const { rows, rulesAfter, hasUprightRules } = table;
    const columns = rows[0]!.length;
    const rule = (after: number): string => {
      if (!rulesAfter.has(after)) return '';
      if (hasUprightRules) return '\\hline\n';
      return after === 0 ? '\\toprule\n' : after === rows.length ? '\\bottomrule\n' : '\\midrule\n';
    };
    const format = hasUprightRules ? `|${'l|'.repeat(columns)}` : 'l'.repeat(columns);
    const close = this.openFloat('table', caption);
    this.writer.raw(`\\begin{tabular}{${format}}\n${rule(0)}`);
    rows.forEach((row, index) => {
      row.forEach((cell, column) => {
        if (column > 0) this.writer.raw(' & ');
        this.writer.words(cell, this.bodySize);
      });
      this.writer.raw(` \\\\\n${rule(index + 1)}`);
    });
    this.writer.raw('\\end{tabular}\n');
    close();
  }

  figure(figure: PlacedFigure, caption: Caption | null): void {
    this.closeParagraph();
    this.leaveListsFor(figure.left);
    const share = Math.min(1, widthOf(figure) / (this.page.width * 0.75));
    const close = this.openFloat('figure', caption);
    this.writer.raw(`\\includegraphics[width=${share.toFixed(2)}\\linewidth]{${figure.name}}\n`);
    close();
  }

  listing({ box, lines }: Listing, caption: Caption | null): void {
    this.closeParagraph();
    this.leaveListsFor(box.left);
    this.writer.listing(lines, caption?.lines ?? []);
  }

  /** Begins a float with its caption, or only centres; the returned function ends it. */
  private openFloat(kind: 'table' | 'figure', caption: Caption | null): () => void {
    const { writer } = this;
    if (!caption) {
      writer.raw('\\begin{center}\n');
      return () => writer.raw('\\end{center}\n\n');
    }
    if (caption.number && Number(caption.number) !== this.floats[kind] + 1)
      writer.raw(`\\setcounter{${kind}}{${Number(caption.number) - 1}}\n`);
    this.floats[kind] = Number(caption.number || this.floats[kind] + 1);
    const write = () => {
      writer.raw('\\caption{');
      writer.prose(caption.lines);
      writer.raw('}\n');
    };
    writer.raw(`\\begin{${kind}}[htbp]\n\\centering\n`);
    if (caption.isAbove) write();
    return () => {
      if (!caption.isAbove) write();
      writer.raw(`\\end{${kind}}\n\n`);
    };
  }

  end(): void {
    this.closeParagraph();
    while (this.lists.length) this.closeList();
  }

  private itemMark(line: Line) {
    const mark = readItemMark(line);
    if (!mark || mark.label !== null) return mark;
    return this.bulletColumns.some((left) => Math.abs(left - line.left) < this.bodySize) ? mark : null;
  }

  private heading({ level, number, words }: NonNullable<ReturnType<typeof readHeading>>, line: Line): void {
    this.closeParagraph();
    while (this.lists.length) this.closeList();
    const command = level === 1 ? 'section' : 'subsection';
    const isPlainNumber = number !== null && level === 1 && /^\d+$/.test(number);
    if (isPlainNumber && Number(number) !== this.sectionNumber + 1)
      this.writer.raw(`\\setcounter{section}{${Number(number) - 1}}\n`);
    if (isPlainNumber) this.sectionNumber = Number(number);
    this.writer.raw(`\\${command}${isPlainNumber ? '' : '*'}{`);
    if (number !== null && !isPlainNumber) this.writer.raw(`${number} `);
    this.writer.words(words, line.size);
    this.writer.raw('}\n\n');
  }

  private item(line: Line, { wordCount, label }: NonNullable<ReturnType<typeof readItemMark>>): void {
    this.closeParagraph();
    const near = this.bodySize * 0.8;
    while (this.lists.length && this.lists.at(-1)!.left > line.left + near) this.closeList();
    const open = this.lists.at(-1);
    const environment = label === null ? 'itemize' : 'enumerate';
    if (open && Math.abs(open.left - line.left) <= near && open.environment !== environment) this.closeList();
    const current = this.lists.at(-1);
    if (!current || line.left > current.left + near) {
      this.writer.raw(`\\begin{${environment}}\n`);
      this.lists.push({ environment, left: line.left });
    }
    // the printed label is kept: a list that continues after a formula keeps its numbering
    this.writer.raw(label === null ? '\\item ' : `\\item[${label}] `);
    const words = line.words.slice(wordCount);
    const rest = { ...line, words, left: words[0]!.left };
    if (!hasFormulas(rest) && isMathsLine(rest)) {
      this.writer.formula(words);
      this.writer.raw('\n');
    } else this.paragraph = { lines: [rest], isCentred: false };
  }

  /** Does not end the paragraph before it; text after it in the same sentence stays in the paragraph. */
  private display({ latex, confidence }: NonNullable<Line['display']>): void {
    this.closeParagraph();
    if (this.writer.body !== '') this.writer.body = `${this.writer.body.trimEnd()}\n`;
    this.writer.latex(latex, confidence);
    this.writer.raw('\n\n');
    this.isAfterDisplay = true;
  }

  private formula(line: Line): void {
    // a fraction or a sum is read as several adjacent lines, which belong to one paragraph
    const continues =
      this.lastFormula !== null &&
      this.paragraph === null &&
      line.top < this.lastFormula.bottom + this.bodySize * 0.3;
    this.closeParagraph();
    if (continues) this.writer.body = `${this.writer.body.trimEnd()}\n`;
    else this.leaveListsFor(line.left);
    this.writer.formula(line.words);
    this.writer.raw('\n\n');
    this.lastFormula = line;
  }

  private prose(line: Line): void {
    const centred = isCentred(line, this.page, this.page.lines);
    if (this.paragraph && this.continues(this.paragraph.lines.at(-1)!, line, centred)) {
      this.paragraph.lines.push(line);
      return;
    }
    this.closeParagraph();
    const goesOn = this.isAfterDisplay && startsSmall(line);
    this.isAfterDisplay = false;
    if (goesOn) this.writer.body = `${this.writer.body.trimEnd()}\n`;
    else this.leaveListsFor(line.left);
    this.paragraph = { lines: [line], isCentred: centred };
  }

  private continues(before: Line, line: Line, centred: boolean): boolean {
    if (this.paragraph!.isCentred !== centred && this.paragraph!.isCentred) return false;
    const gap = line.top - before.bottom;
    if (gap < -before.size || gap > this.bodySize * 1.1) return false;
    if (before.paragraph === line.paragraph && !this.lists.length) return true;
    const open = this.lists.at(-1);
    if (open) return line.left > open.left + this.bodySize * 0.5;
    // a full line followed by one at the same margin continues, whatever Tesseract's paragraphs say
    const columnRight = Math.max(
      ...this.page.lines.filter((other) => other.area === before.area).map((other) => other.right),
    );
    const isFull = before.right > columnRight - this.bodySize * 2;
    if (isFull && Math.abs(before.left - line.left) < this.bodySize * 0.5 && gap < this.bodySize * 0.7)
      return true;
    return /^\p{Ll}/u.test(line.words[0]!.text) && !/[.!?:]$/.test(before.words.at(-1)!.text);
  }

  private closeParagraph(): void {
    const { paragraph } = this;
    if (!paragraph) return;
    this.paragraph = null;
    this.lastFormula = null;
    if (paragraph.isCentred && !this.lists.length) {
      this.writer.raw('\\begin{center}\n');
      this.writer.prose(paragraph.lines);
      this.writer.raw('\n\\end{center}\n\n');
      return;
    }
    this.writer.prose(paragraph.lines);
    this.writer.raw(this.lists.length ? '\n' : '\n\n');
  }

  /** Text that is indented no further than a list's marks ends the list. */
  private leaveListsFor(left: number): void {
    while (this.lists.length && left <= this.lists.at(-1)!.left + this.bodySize * 0.5) this.closeList();
  }

  private closeList(): void {
    const list = this.lists.pop()!;
    this.writer.body = `${this.writer.body.trimEnd()}\n`;
    this.writer.raw(`\\end{${list.environment}}\n${this.lists.length ? '' : '\n'}`);
  }
}
