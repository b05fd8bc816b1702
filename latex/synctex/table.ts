/**
 * Parses a SyncTeX file (version 1, decompressed) into columns of numbers, once; synctex.ts searches them.
 *
 * The file lists the boxes of each page in order. `[`/`(` open a vertical or horizontal box and `]`/`)` close it;
 * `v`/`h` are boxes without content; `k` kern, `g` glue, `$` math switch, `r` rule, `x` end of a run of characters,
 * `f` a place where a form is shown; `<`…`>` lists a form's own boxes. Each names its source (`tag,line`) and position.
 * Kerns, glue and runs have the position where they END; boxes that of the left end of their baseline.
 */
import { readSetting, type Settings, scaleOf } from './settings.ts';

export const kinds = {
  verticalBox: 91,
  horizontalBox: 40,
  emptyVerticalBox: 118,
  emptyHorizontalBox: 104,
  run: 120,
  kern: 107,
  glue: 103,
  math: 36,
  rule: 114,
  form: 102,
} as const;

/** Most records stored: 50 bytes each, some 1500 dense pages. Later ones are not searched. */
const maxRecords = 2_000_000;
/** Beyond any engine's own limit of nesting. */
const maxDepth = 10_000;
const maxNameBytes = 4_096;
const maxFiles = 10_000;

/** A page, or a form (`page` 0, `form` its number): the records `from` to `to` (excluded). */
export interface Sheet {
  page: number;
  form: number;
  from: number;
  to: number;
}

/** One file's records, in columns; lengths and positions in the file's own unit. */
export interface SynctexTable {
  count: number;
  kind: Uint8Array;
  /** Source file, or the form's number if `kind` is form. */
  tag: Int32Array;
  line: Int32Array;
  x: Int32Array;
  y: Int32Array;
  width: Int32Array;
  height: Int32Array;
  depth: Int32Array;
  /** Record of the enclosing box; -1 for a page's outermost. */
  parent: Int32Array;
  /** One past the last record inside a box; the next record for others. */
  end: Int32Array;
  /** First and last source line of a box's content; the last is -1 if it comes from several files. */
  lowLine: Int32Array;
  highLine: Int32Array;
  /** Names as written, by tag. */
  files: Map<number, string>;
  /** In the order of the file. */
  sheets: Sheet[];
  /** Records that show a form. */
  formReferences: number[];
  /** PDF points (1/72 inch) per unit, and the position of the page's corner. */
  pointsPerUnit: number;
  offsetX: number;
  offsetY: number;
  /** False if the file ended early, exceeded the limits, or has invalid lines. */
  isComplete: boolean;
}

const bigLine = 0x7fffffff;

class Columns {
  count = 0;
  kind = new Uint8Array(0);
  tag = new Int32Array(0);
  line = new Int32Array(0);
  x = new Int32Array(0);
  y = new Int32Array(0);
  width = new Int32Array(0);
  height = new Int32Array(0);
  depth = new Int32Array(0);
  parent = new Int32Array(0);
  end = new Int32Array(0);
  lowLine = new Int32Array(0);
  highLine = new Int32Array(0);

  grow(capacity: number): void {
    const wider = (old: Int32Array) => {
      const next = new Int32Array(capacity);
      next.set(old);
      return next;
    };
    const kind = new Uint8Array(capacity);
    kind.set(this.kind);
    this.kind = kind;
    this.tag = wider(this.tag);
    this.line = wider(this.line);
    this.x = wider(this.x);
    this.y = wider(this.y);
    this.width = wider(this.width);
    this.height = wider(this.height);
    this.depth = wider(this.depth);
    this.parent = wider(this.parent);
    this.end = wider(this.end);
    this.lowLine = wider(this.lowLine);
    this.highLine = wider(this.highLine);
  }
}

const newline = 10;
const colon = 58;
const comma = 44;

/** Reads integers and strings from bytes, never past their end. */
class Cursor {
  at = 0;
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Reads an integer, clamped to 32 bits; 0 if there is none. */
  number(): number {
    const { bytes } = this;
    let { at } = this;
    const isNegative = bytes[at] === 45;
    if (isNegative) at++;
    let value = 0;
    for (let digit = bytes[at]! - 48; digit >= 0 && digit <= 9; digit = bytes[++at]! - 48)
      value = value < 200_000_000 ? value * 10 + digit : bigLine;
    this.at = at;
    return isNegative ? -value : value;
  }

  /** Skips a byte if it is next. */
  take(byte: number): boolean {
    if (this.bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  skipLine(): void {
    const found = this.bytes.indexOf(newline, this.at);
    this.at = found < 0 ? this.bytes.length : found + 1;
  }

  startsWith(ascii: string): boolean {
    for (let index = 0; index < ascii.length; index++)
      if (this.bytes[this.at + index] !== ascii.charCodeAt(index)) return false;
    return true;
  }

  /** Returns the rest of the line, without its end, and does not move. */
  rest(): string {
    const found = this.bytes.indexOf(newline, this.at);
    const end = Math.min(found < 0 ? this.bytes.length : found, this.at + maxNameBytes);
    return decoder.decode(this.bytes.subarray(this.at, end));
  }
}

const decoder = new TextDecoder();

/** @returns null if the content is not a SyncTeX file; never throws. */
export function readSynctexTable(content: Uint8Array): SynctexTable | null {
  const cursor = new Cursor(content);
  if (!cursor.startsWith('SyncTeX Version:')) return null;
  const columns = new Columns();
  // a record takes some 25 bytes
  columns.grow(Math.min(maxRecords, Math.ceil(content.length / 16) + 16));
  const files = new Map<number, string>();
  const sheets: Sheet[] = [];
  const formReferences: number[] = [];
  const settings: Settings = { magnification: 1000, unit: 1, offsetX: 0, offsetY: 0, afterwards: {} };
  const stack: number[] = [];
  let sheet: Sheet | null = null;
  let isComplete = false;
  let isSound = true;
  let lastY = 0;

  const closeSheet = () => {
    if (!sheet) return;
    // boxes left open end with their page
    while (stack.length > 0) closeBox(columns, stack);
    sheet.to = columns.count;
    sheet = null;
  };
  const openSheet = (page: number, form: number) => {
    closeSheet();
    lastY = 0;
    sheet = { page, form, from: columns.count, to: columns.count };
    sheets.push(sheet);
  };

  while (cursor.at < content.length) {
    const kind = content[cursor.at]!;
    switch (kind) {
      case kinds.verticalBox:
      case kinds.horizontalBox:
      case kinds.emptyVerticalBox:
      case kinds.emptyHorizontalBox:
      case kinds.run:
      case kinds.kern:
      case kinds.glue:
      case kinds.math:
      case kinds.rule:
      case kinds.form: {
        if (!sheet) {
          isSound = false;
          break;
        }
        if (columns.count >= maxRecords || stack.length >= maxDepth) {
          isSound = false;
          break;
        }
        const index = columns.count;
        if (index >= columns.kind.length) columns.grow(Math.min(maxRecords, index * 2));
        cursor.at++;
        const tag = cursor.number();
        let line = 0;
        if (cursor.take(comma)) {
          line = cursor.number();
          // a column, which no engine writes today
          if (cursor.take(comma)) cursor.number();
        }
        if (!cursor.take(colon)) {
          isSound = false;
          break;
        }
        // LuaTeX gives kerns between letters no position, or an arbitrary one; letters after such a kern get the line
        // at which the page is shipped, beyond that of their own box
        if (kind === kinds.kern && !(line > 0 && files.has(tag))) break;
        const around = stack[stack.length - 1];
        if (kind === kinds.run && around !== undefined && line > columns.line[around]!)
          if (columns.tag[around] === tag) line = lineBefore(columns, around, index);
        const x = cursor.number();
        let y = lastY;
        // `=` means the position of the previous record
        if (cursor.take(comma) && !cursor.take(61)) y = cursor.number();
        lastY = y;
        let width = 0;
        let height = 0;
        let depth = 0;
        if (cursor.take(colon)) {
          width = cursor.number();
          if (cursor.take(comma)) height = cursor.number();
          if (cursor.take(comma)) depth = cursor.number();
        }
        columns.kind[index] = kind;
        columns.tag[index] = tag;
        columns.line[index] = line;
        columns.x[index] = x;
        columns.y[index] = y;
        columns.width[index] = width;
        columns.height[index] = height;
        columns.depth[index] = depth;
        columns.parent[index] = stack.length > 0 ? stack[stack.length - 1]! : -1;
        columns.end[index] = index + 1;
        columns.lowLine[index] = bigLine;
        columns.count = index + 1;
        if (kind === kinds.verticalBox || kind === kinds.horizontalBox) stack.push(index);
        else if (kind === kinds.form) formReferences.push(index);
        else if (
          kind === kinds.glue ||
          kind === kinds.kern ||
          kind === kinds.math ||
          // after a rule, a run has the rule's line, which is that of shipping the page
          (kind === kinds.run && columns.kind[index - 1] !== kinds.rule)
        )
          widen(columns, stack, tag, line, line);
        break;
      }
      case 93: // ]
      case 41: // )
        if (stack.length > 0) closeBox(columns, stack);
        break;
      case 123: // {
        cursor.at++;
        openSheet(cursor.number(), 0);
        break;
      case 60: // <
        cursor.at++;
        openSheet(0, cursor.number());
        break;
      case 125: // }
      case 62: // >
        closeSheet();
        break;
      case 33: // ! a byte count
        break;
      default:
        if (cursor.startsWith('Postamble:')) {
          closeSheet();
          isComplete = true;
        } else if (cursor.startsWith('Input:')) readInput(cursor, files);
        else readSetting(cursor.rest(), settings, isComplete);
    }
    cursor.skipLine();
  }
  closeSheet();
  return {
    count: columns.count,
    kind: columns.kind,
    tag: columns.tag,
    line: columns.line,
    x: columns.x,
    y: columns.y,
    width: columns.width,
    height: columns.height,
    depth: columns.depth,
    parent: columns.parent,
    end: columns.end,
    lowLine: columns.lowLine,
    highLine: columns.highLine,
    files,
    sheets,
    formReferences,
    ...scaleOf(settings),
    isComplete: isComplete && isSound,
  };
}

/** Returns the line of the last record in a box, else the box's own. */
function lineBefore({ parent, tag, line }: Columns, box: number, index: number): number {
  const isNextTo = parent[index - 1] === box && tag[index - 1] === tag[box];
  return isNextTo ? Math.min(line[box]!, line[index - 1]!) : line[box]!;
}

/** Widens the innermost open box's range of lines; `high` -1 means that they come from several files. */
function widen(columns: Columns, stack: number[], tag: number, low: number, high: number): void {
  if (stack.length === 0) return;
  const box = stack[stack.length - 1]!;
  if (low > high && high !== -1) return;
  if (columns.highLine[box] === -1) return;
  if (high === -1 || tag !== columns.tag[box]) {
    columns.highLine[box] = -1;
    return;
  }
  if (low < columns.lowLine[box]!) columns.lowLine[box] = low;
  if (high > columns.highLine[box]!) columns.highLine[box] = high;
}

function closeBox(columns: Columns, stack: number[]): void {
  const box = stack.pop()!;
  columns.end[box] = columns.count;
  widen(columns, stack, columns.tag[box]!, columns.lowLine[box]!, columns.highLine[box]!);
}

function readInput(cursor: Cursor, files: Map<number, string>): void {
  cursor.at += 'Input:'.length;
  const tag = cursor.number();
  if (cursor.take(colon) && files.size < maxFiles) files.set(tag, cursor.rest());
}
