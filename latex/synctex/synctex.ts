/**
 * Maps positions in the source to positions in the PDF and back, using the engine's SyncTeX file. It works on bytes
 * alone: server and browser both use it, on the decompressed file. A watermark is stamped on the finished PDF and
 * unknown to the engine, so positions are those of the document under it.
 *
 * TeX's records are not always accurate: a word has no record, but the glue after it has its line; a paragraph's boxes
 * and the glue at the end of its lines have the paragraph's last line; and what the page breaker adds (head and foot)
 * has TeX's line at that time. The searches below allow for that.
 */
import { findFurniture, firstSure, hasLines, isOpenBox, isTrustworthy, lineBox, recordAt } from './boxes.ts';
import { listSourceFiles, type SourceFiles } from './files.ts';
import { indexLines, type LineIndex } from './lines.ts';
import { kinds, readSynctexTable, type Sheet, type SynctexTable } from './table.ts';

/** In PDF points (1/72 inch) from the page's top left corner; `x`, `y` is the rectangle's top left corner. */
export interface PdfRectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface PdfPlace {
  /** 1-based, in the order of the PDF. */
  page: number;
  /** The line's output on that page, from top to bottom; at least one. */
  rectangles: PdfRectangle[];
  /** The rectangle to scroll to: given a column, the most likely one. */
  focus: PdfRectangle;
  /** The source line found: the requested one, or the nearest with output. */
  line: number;
}

interface SourcePlace {
  /** The name in the document (`main.tex`); absolute for files of the TeX installation. */
  file: string;
  line: number;
}

/** A line to find in the PDF. */
interface SoughtPlace extends SourcePlace {
  /** In characters, with `lineLength`: chooses a rectangle of a long line. */
  column?: number;
  lineLength?: number;
  /** Preferred if the line is on several pages. */
  nearPage?: number;
}

/** A parsed SyncTeX file, ready for searching. */
export interface Synctex {
  readonly pageCount: number;
  /** The document's own files that produced output, by their names in the document. */
  readonly files: readonly string[];
  /** False if the file was truncated, too large or damaged: what could be read is searched. */
  readonly isComplete: boolean;
  /** Finds a source line in the PDF; null if its file produced no output. */
  findInPdf(place: SoughtPlace): PdfPlace | null;
  /** Finds the source line at a point of a page; null if the page has none. `x`, `y`: PDF points from the top left. */
  findInSource(point: { page: number; x: number; y: number }): SourcePlace | null;
}

/** Parses a decompressed SyncTeX file; null if it is not one. Never throws, whatever the bytes. */
export function readSynctex(content: Uint8Array | string): Synctex | null {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const table = readSynctexTable(bytes);
  return table && new SynctexIndex(table);
}

/** Weight of the vertical distance between two points, relative to the horizontal. */
const verticalWeight = 4;
const maxFormDepth = 2;
/** Limits against files that no engine wrote: real lines and forms stay far below. */
const maxRecordsOfLine = 20_000;
const maxRectangles = 500;
/** Levels of nesting searched, from the box clicked on to a line of text. */
const maxLevels = 8;
const maxFormVisits = 200;

class SynctexIndex implements Synctex {
  readonly pageCount: number;
  readonly files: readonly string[];
  readonly isComplete: boolean;
  readonly #table: SynctexTable;
  readonly #files: SourceFiles;
  readonly #lines: LineIndex;
  readonly #pages = new Map<number, Sheet>();
  readonly #forms = new Map<number, Sheet>();
  /** Records that show a form, by its number. */
  readonly #references = new Map<number, number[]>();
  #formVisits = 0;
  /** Head and foot of each page, as ranges of records; computed when a page is first searched. */
  readonly #furniture = new Map<Sheet, [number, number][]>();

  constructor(table: SynctexTable) {
    this.#table = table;
    this.isComplete = table.isComplete;
    this.#files = listSourceFiles(table.files);
    this.#lines = indexLines(table);
    let pageCount = 0;
    for (const sheet of table.sheets) {
      if (sheet.form !== 0) this.#forms.set(sheet.form, sheet);
      if (sheet.form !== 0 || sheet.page <= 0) continue;
      // of a page listed twice, the later counts
      this.#pages.set(sheet.page, sheet);
      pageCount = Math.max(pageCount, sheet.page);
    }
    for (const reference of table.formReferences) {
      const form = table.tag[reference]!;
      if (this.#sheetOf(reference)?.form === form) continue;
      const list = this.#references.get(form);
      if (!list) this.#references.set(form, [reference]);
      else if (list.length < maxFormVisits) list.push(reference);
    }
    this.pageCount = pageCount;
    this.files = this.#files.listOwn((tag) => this.#lines.has(tag));
  }

  findInPdf(place: SoughtPlace): PdfPlace | null {
    const tags = this.#files.tagsOf(place.file);
    for (const line of this.#lines.byDistance(tags, place.line)) {
      const found = this.#findLine(tags, line, place.nearPage);
      if (!found) continue;
      const { column, lineLength } = place;
      const share =
        found.line === place.line && column !== undefined && lineLength
          ? Math.min(1, Math.max(0, column / lineLength))
          : 0;
      const focus =
        found.rectangles[Math.min(found.rectangles.length - 1, Math.floor(share * found.rectangles.length))]!;
      return { ...found, focus };
    }
    return null;
  }

  /** Finds a line's output; glue, kerns and formulas before records whose line is uncertain. */
  #findLine(
    tags: readonly number[],
    line: number,
    nearPage: number | undefined,
  ): Omit<PdfPlace, 'focus'> | null {
    let isSure = false;
    let boxes = new Set<number>();
    let budget = maxRecordsOfLine;
    for (const tag of tags)
      for (const index of this.#lines.recordsOf(tag, line)) {
        if (budget-- === 0 || boxes.size >= maxRectangles) break;
        const sure = isTrustworthy(this.#table, index);
        if (isSure && !sure) continue;
        const box = lineBox(this.#table, index);
        if (this.#isFurniture(box)) continue;
        if (sure && !isSure) {
          isSure = true;
          boxes = new Set();
        }
        boxes.add(box);
      }
    const byPage = new Map<number, PdfRectangle[]>();
    for (const box of boxes)
      for (const { page, rectangle } of this.#placesOf(box, maxFormDepth)) {
        if (rectangle.width <= 0 && rectangle.height <= 0) continue;
        const list = byPage.get(page);
        if (list) list.push(rectangle);
        else byPage.set(page, [rectangle]);
      }
    const page =
      nearPage !== undefined && byPage.has(nearPage) ? nearPage : (byPage.keys().next().value ?? 0);
    const rectangles = byPage.get(page);
    return rectangles ? { page, rectangles, line } : null;
  }

  *#placesOf(box: number, formDepth: number): Generator<{ page: number; rectangle: PdfRectangle }> {
    const { x, y, width, height, depth } = this.#table;
    const sheet = this.#sheetOf(box);
    if (!sheet) return;
    if (sheet.form === 0) {
      if (this.#pages.get(sheet.page) === sheet)
        yield {
          page: sheet.page,
          rectangle: this.#rectangle(x[box]!, y[box]!, width[box]!, height[box]!, depth[box]!),
        };
      return;
    }
    if (formDepth === 0) return;
    for (const reference of this.#references.get(sheet.form) ?? []) {
      for (const place of this.#placesOf(reference, formDepth - 1)) {
        const left = place.rectangle.x + x[box]! * this.#table.pointsPerUnit;
        const base = place.rectangle.y + y[box]! * this.#table.pointsPerUnit;
        const scale = this.#table.pointsPerUnit;
        yield {
          page: place.page,
          rectangle: {
            x: left,
            y: base - height[box]! * scale,
            width: width[box]! * scale,
            height: (height[box]! + depth[box]!) * scale,
          },
        };
      }
    }
  }

  #rectangle(x: number, y: number, width: number, height: number, depth: number): PdfRectangle {
    const { pointsPerUnit, offsetX, offsetY } = this.#table;
    const left = width < 0 ? x + width : x;
    return {
      x: left * pointsPerUnit + offsetX,
      y: (y - height) * pointsPerUnit + offsetY,
      width: Math.abs(width) * pointsPerUnit,
      height: Math.max(0, height + depth) * pointsPerUnit,
    };
  }

  #sheetOf(index: number): Sheet | null {
    const { sheets } = this.#table;
    let low = 0;
    let high = sheets.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sheets[middle]!.to <= index) low = middle + 1;
      else high = middle;
    }
    const sheet = sheets[low];
    return sheet && sheet.from <= index ? sheet : null;
  }

  #isFurniture(index: number): boolean {
    const sheet = this.#sheetOf(index);
    if (sheet?.form !== 0) return false;
    let ranges = this.#furniture.get(sheet);
    if (!ranges) {
      ranges = findFurniture(this.#table, sheet);
      this.#furniture.set(sheet, ranges);
    }
    return ranges.some(([from, to]) => index >= from && index < to);
  }

  findInSource(point: { page: number; x: number; y: number }): SourcePlace | null {
    const sheet = this.#pages.get(point.page);
    if (!sheet || !Number.isFinite(point.x) || !Number.isFinite(point.y)) return null;
    const { pointsPerUnit, offsetX, offsetY } = this.#table;
    const x = (point.x - offsetX) / pointsPerUnit;
    const y = (point.y - offsetY) / pointsPerUnit;
    this.#formVisits = maxFormVisits;
    const found = this.#smallestBoxAt(sheet, x, y, maxFormDepth) ?? this.#nearestBox(sheet, x, y);
    if (!found) return null;
    const { kind, end } = this.#table;
    let record = recordAt(this.#table, found.box, found.x);
    // between the rows of a table: the nearest row
    for (let level = 0; level < maxLevels && isOpenBox(kind[record]!) && end[record]! > record + 1; level++) {
      const inner = this.#nearestBox({ from: record + 1, to: end[record]! }, found.x, found.y);
      if (!inner) break;
      record = recordAt(this.#table, inner.box, found.x);
    }
    if (isOpenBox(kind[record]!)) record = firstSure(this.#table, record) ?? record;
    return this.#sourceOf(sheet, record);
  }

  /** Returns the smallest horizontal box around a point, with the point in the coordinates of that box's sheet. */
  #smallestBoxAt(
    sheet: Sheet,
    x: number,
    y: number,
    formDepth: number,
  ): { box: number; x: number; y: number; area: number } | null {
    const table = this.#table;
    let best: { box: number; x: number; y: number; area: number } | null = null;
    for (let index = sheet.from; index < sheet.to; index++) {
      const is = table.kind[index]!;
      if (is === kinds.form && formDepth > 0) {
        const shown = this.#forms.get(table.tag[index]!);
        const inside =
          shown &&
          this.#formVisits-- > 0 &&
          this.#smallestBoxAt(shown, x - table.x[index]!, y - table.y[index]!, formDepth - 1);
        if (inside && (!best || inside.area <= best.area)) best = inside;
        continue;
      }
      if (is !== kinds.horizontalBox || !hasLines(this.#table, index)) continue;
      const left = table.x[index]!;
      const top = table.y[index]! - table.height[index]!;
      const width = table.width[index]!;
      const height = table.height[index]! + table.depth[index]!;
      if (x < left || x > left + width || y < top || y > top + height) continue;
      const area = width * height;
      if (area > 0 && (!best || area <= best.area)) best = { box: index, x, y, area };
    }
    return best;
  }

  #nearestBox(
    range: { from: number; to: number },
    x: number,
    y: number,
  ): { box: number; x: number; y: number } | null {
    const table = this.#table;
    let best: { box: number; x: number; y: number } | null = null;
    let bestDistance = Number.POSITIVE_INFINITY;
    for (const isLast of [false, true]) {
      for (let index = range.from; index < range.to; index++) {
        if (table.kind[index] !== kinds.horizontalBox || !hasLines(this.#table, index)) continue;
        const height = table.height[index]! + table.depth[index]!;
        const width = table.width[index]!;
        if (width <= 0 || height <= 0) continue;
        const left = table.x[index]!;
        const top = table.y[index]! - table.height[index]!;
        const dx = Math.max(0, left - x, x - left - width);
        const dy = Math.max(0, top - y, y - top - height);
        const distance = dx + verticalWeight * dy;
        // of two equally near, the inner one
        if (distance > bestDistance || (!isLast && this.#isFurniture(index))) continue;
        best = { box: index, x, y };
        bestDistance = distance;
      }
      if (best) break;
    }
    return best;
  }

  /** Returns a record's source; if nobody edits that file (a table of contents), that of the nearest earlier record. */
  #sourceOf(sheet: Sheet, record: number): SourcePlace | null {
    const { tag, line, kind } = this.#table;
    let index = record;
    if (!this.#files.isOwn(tag[index]!)) {
      const from = this.#sheetOf(record)?.from ?? sheet.from;
      while (index >= from && !(this.#files.isOwn(tag[index]!) && isTrustworthy(this.#table, index))) index--;
      if (index < from) index = record;
    }
    const file = this.#files.nameOf(tag[index]!);
    return file === undefined || line[index]! <= 0 || kind[index] === kinds.form
      ? null
      : { file, line: line[index]! };
  }
}
