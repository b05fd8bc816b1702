/** Writes displayed formulas: one by one, or aligned over several lines. */

import { escapeText } from '../escape.ts';
import { isSide } from '../frames.ts';
import { composeAccents } from '../glyphs/accents.ts';
import { tidyMath } from '../lines/inline.ts';
import { wordsAmidItalic } from '../lines/spans.ts';
import { prepare, readFormula } from '../math/parse.ts';
import { muskipsOf } from '../math/spaces.ts';
import { findSymbol } from '../math/symbols.ts';
import { boundsOf, type Glyph, type Rule } from '../model.ts';
import {
  areAligned,
  type DisplayLine,
  endOfRow,
  isVerticalDots,
  multlineGap,
  proseWords,
} from './display.ts';

/** The sign of a proof's end, as a display's mark. */
export const proofEnd = '□';

export interface DisplayOptions {
  packages: Set<string>;
  /** Stands in an italic theorem, whose words in a formula are italic without a command. */
  isItalic?: boolean;
}

/** LaTeX of one or several display lines that belong together. */
export function writeDisplay(lines: readonly DisplayLine[], options: DisplayOptions): string {
  if (lines.some(({ tag }) => tag === proofEnd)) options.packages.add('amssymb');
  const array = writeEqnarray(lines, options);
  if (array !== null) return array;
  if (lines.length === 1) {
    const [only] = lines as [DisplayLine];
    const latex = formulaOf(only.glyphs, only.line.rules, options);
    if (only.tag === null) return `\\[\n  ${latex}${only.endsProof ? ' \\qedhere' : ''}\n\\]`;
    return `\\begin{equation}\n  ${latex} ${tagOf(only.tag)}\n\\end{equation}`;
  }
  const cut = lines.findIndex((l, i) => i > 0 && isOwnDisplay(lines[i - 1] as DisplayLine, l));
  if (cut > 0)
    return `${writeDisplay(lines.slice(0, cut), options)}\n${writeDisplay(lines.slice(cut), options)}`;
  const isCentredEach = areCentred(lines);
  const aligned = lines.filter((l) => !isVerticalDots(l.glyphs));
  const isFolded = isMultline(lines);
  const columns = isCentredEach || isFolded || aligned.length < 2 ? [] : alignmentColumns(aligned);
  const isTagged = lines.some((l) => l.tag !== null);
  const beside = columns.length === 1 ? findColumnBeside(aligned, columns[0]?.x ?? 0) : null;
  const rows = lines.map((l) => {
    const cells = columns.length > 0 ? cutAt(l, columns) : [{ glyphs: l.glyphs, joint: '' }];
    const last = columns.length === 1 ? (takeBeside(cells, beside) ?? takeRemark(cells, l)) : null;
    const latex = [...cells, ...(last ? [last] : [])]
      .map((c, i) => `${i > 0 ? ` ${c.joint}` : ''}${formulaOf(c.glyphs, l.line.rules, options)}`)
      .join('');
    const end = l.tag === null ? (isTagged ? ' \\notag' : '') : ` ${tagOf(l.tag)}`;
    return `  ${latex}${end}${l.endsProof ? ' \\qedhere' : ''}`;
  });
  if (isFolded) {
    const last = lines.at(-1)?.tag ?? null;
    const tag = last === null ? '' : ` ${tagOf(last)}`;
    const parts = lines.map((l) => `  ${formulaOf(l.glyphs, l.line.rules, options)}`);
    const env = last === null ? 'multline*' : 'multline';
    return `\\begin{${env}}\n${parts.join(' \\\\\n')}${tag}\n\\end{${env}}`;
  }
  const kind = beside
    ? 'alignat'
    : columns.length > 0 || (!isCentredEach && areFlushRight(lines))
      ? 'align'
      : 'gather';
  const name = `${kind}${isTagged ? '' : '*'}`;
  return `\\begin{${name}}${beside ? '{2}' : ''}\n${rows.join(' \\\\\n')}\n\\end{${name}}`;
}

/** eqnarray has \arraycolsep twice, 5 pt in every class, on either side of its relation. */
const besideRelation = 10;

/** Rows of eqnarray without numbers, which \tag cannot give it; null if they are none. */
function writeEqnarray(lines: readonly DisplayLine[], options: DisplayOptions): string | null {
  const rows = lines.flatMap(({ glyphs, line, tag }) => {
    const sorted = tag === null ? [...glyphs].sort((a, b) => a.x - b.x) : [];
    const isWide = (gap: number) => Math.abs(gap - besideRelation) < 0.12 * line.size;
    let end = Number.NaN;
    const at = sorted.findIndex((g, i) => {
      const next = sorted[i + 1];
      const isAfterSpace = i === 0 || isWide(g.x - end);
      end = i === 0 ? g.x + g.width : Math.max(end, g.x + g.width, g.ink.x1);
      return isAfterSpace && next && isWide(next.x - end) && findSymbol(g.text)?.atom === 'rel';
    });
    if (at < 0) return [];
    const parts = [sorted.slice(0, at), sorted.slice(at, at + 1), sorted.slice(at + 1)];
    return [{ left: sorted[at]?.x ?? 0, isFull: at > 0, parts, line }];
  });
  const places = rows.map(({ left }) => left);
  const isAligned = Math.max(...places) - Math.min(...places) < 0.4 * (rows[0]?.line.size ?? 0);
  if (rows.length < lines.length || !isAligned || !rows.some(({ isFull }) => isFull)) return null;
  const latex = rows.map(({ parts, line }) =>
    parts.map((g) => formulaOf(g, line.rules, options)).join(' & '),
  );
  return `\\begin{eqnarray*}\n  ${latex.join(' \\\\\n  ')}\n\\end{eqnarray*}`;
}

/** Space between two displays, more than between rows of one, in ems: \jot is 0.3, \belowdisplayshortskip 0.55. */
const roomOfDisplays = 0.45;

/** The same between two that have exactly one centre: less is seen of \belowdisplayshortskip below a fraction, or on a full page. */
const roomOfCentred = 0.36;

/** A display of its own: centred like the one above it, and apart from it. Rows aligned at a relation have other centres. */
function isOwnDisplay(upper: DisplayLine, lower: DisplayLine): boolean {
  const middle = ({ glyphs }: DisplayLine) => {
    const box = boundsOf(glyphs.map((g) => ({ ...g.ink, x0: g.x, x1: g.x + g.width })));
    return (box.x0 + box.x1) / 2;
  };
  const off = Math.abs(middle(upper) - middle(lower));
  if (off > 0.1 && areAligned(upper, lower)) return false;
  // a fraction at one end moves the centre by half of \nulldelimiterspace
  return off < 0.75 ? lower.room > roomOfCentred : off < 2.5 && lower.room > roomOfDisplays;
}

/** Lines of different widths with the same centre: each was centred by itself, none aligned. */
function areCentred(lines: readonly DisplayLine[]): boolean {
  const boxes = lines.map((l) => boundsOf(l.glyphs.map((g) => g.ink)));
  const middles = boxes.map((b) => (b.x0 + b.x1) / 2);
  const widths = boxes.map((b) => b.x1 - b.x0);
  return (
    Math.max(...middles) - Math.min(...middles) < 1.2 &&
    Math.max(...widths) - Math.min(...widths) > 6 &&
    lines.length < 4
  );
}

/** multline: the first row at the left edge, the last at the right one, each but for \multlinegap. */
function isMultline(lines: readonly DisplayLine[]): boolean {
  const [first, last] = [lines[0], lines.at(-1)] as [DisplayLine, DisplayLine];
  if (lines.slice(0, -1).some((l) => l.tag !== null) || !first.sides || !last.sides) return false;
  const isNear = (side: number) => Math.abs(side - multlineGap) < 1.5;
  const isFar = (side: number) => side > multlineGap + 2 * first.line.size;
  return (
    isNear(first.sides.left) && isFar(last.sides.left) && (last.tag !== null || isNear(last.sides.right))
  );
}

/** An align whose rows have no & is set flush right. */
function areFlushRight(lines: readonly DisplayLine[]): boolean {
  const rights = lines.map((l) => endOfRow(l.glyphs, l.line.rules));
  const lefts = lines.map((l) => Math.min(...l.glyphs.map((g) => g.ink.x0)));
  return Math.max(...rights) - Math.min(...rights) < 0.6 && Math.max(...lefts) - Math.min(...lefts) > 4;
}

function tagOf(tag: string): string {
  if (tag === proofEnd) return '\\tag*{$\\square$}';
  return `\\tag{${/[∗*†‡′']/.test(tag) ? `$${tag.replace(/∗/g, '*').replace(/†/g, '\\dagger ').replace(/‡/g, '\\ddagger ').replace(/[′']/g, "'")}$` : escapeText(tag)}}`;
}

function formulaOf(glyphs: readonly Glyph[], rules: readonly Rule[], options: DisplayOptions): string {
  if (glyphs.length === 0) return '';
  const box = boundsOf(glyphs.map((g) => g.ink));
  const isWithin = (r: Rule, reach: number) => r.x0 > box.x0 - reach && r.x1 < box.x1 + reach;
  const own = rules.filter((r) => isWithin(r, isSide(r, rules) ? 6 : 4));
  const isBold = glyphs.length > 1 && isBoldFormula(glyphs);
  const plain = isBold ? glyphs.map((g) => ({ ...g, font: { ...g.font, bold: false } })) : glyphs;
  const formula = readFormula(composeAccents(plain), own, 'display');
  for (const p of formula.packages) options.packages.add(p);
  const tidy = tidyMath(formula.latex);
  const latex = options.isItalic ? wordsAmidItalic(tidy) : tidy;
  return isBold ? `\\boldsymbol{${latex}}` : latex;
}

/** Bold throughout, including its signs: with vectors, only single letters are bold. */
function isBoldFormula(glyphs: readonly Glyph[]): boolean {
  const own = glyphs.filter((g) => g.font.family !== 'extension');
  return own.length > 0 && own.every((g) => g.font.bold) && own.some((g) => g.font.family === 'letters');
}

/** x positions that begin a cell in every line, at a relation (or at the lines' own left edge). */
function alignmentColumns(lines: readonly DisplayLine[]): { x: number; isEdge: boolean }[] {
  const rows = lines.map((l) => {
    const items = prepare(
      l.glyphs,
      l.line.rules.map((r) => ({ ...r })),
    );
    return items.filter((i) => i.size > 0.85 * l.line.size);
  });
  const size = lines[0]?.line.size ?? 10;
  const first = rows[0] ?? [];
  const signs = first.filter((i) => i.atom === 'rel' || i.text === ':');
  const relations = signs.map((i) => i.start);
  const columns: { x: number; isEdge: boolean }[] = [];
  for (const x of relations) {
    const last = columns[columns.length - 1];
    const isShared = rows.every((row) =>
      row.some((i) => Math.abs(i.start - x) < 0.15 * size && (i.atom === 'rel' || i.atom === 'bin')),
    );
    if (!isShared) continue;
    if (last && !hasWideGap(lines, last.x, x, size)) continue;
    columns.push({ x, isEdge: false });
  }
  if (columns.length > 0) return columns;
  const lefts = lines.map((l) => Math.min(...l.glyphs.map((g) => g.x)));
  const spread = Math.max(...lefts) - Math.min(...lefts);
  if (spread < 0.25 * size) return [{ x: Math.min(...lefts) - 0.1, isEdge: true }];
  // continuation lines begin with the relation below the first line's
  for (const x of relations) {
    if (lines.slice(1).every((l) => Math.abs(Math.min(...l.glyphs.map((g) => g.x)) - x) < 0.3 * size))
      return [{ x, isEdge: false }];
  }
  // some write the column behind the first line's relation: x \le & y \\ & = z
  const { thick } = muskipsOf(lines.flatMap((l) => l.glyphs));
  for (const { end } of signs) {
    const begins = (row: (typeof rows)[number]) =>
      row[0]?.atom === 'rel' && Math.abs(row[0].start - end - (thick / 18) * size) < 0.1 * size;
    if (rows.slice(1).every(begins)) return [{ x: end, isEdge: false }];
  }
  // some write the relation before the column: \implies & x
  const starts = rows.map(([head, next]) => (head?.atom === 'rel' ? next : head)?.start ?? Number.NaN);
  const [x = Number.NaN] = starts;
  // an operator, or \left(, has a thin space before it
  return starts.every((start) => Math.abs(start - x) < 0.18 * size) ? [{ x, isEdge: false }] : [];
}

function hasWideGap(lines: readonly DisplayLine[], from: number, to: number, size: number): boolean {
  return lines.every((l) => {
    const inside = l.glyphs.filter((g) => g.x >= from && g.x < to).sort((a, b) => a.x - b.x);
    let end = from;
    let widest = 0;
    for (const g of inside) {
      widest = Math.max(widest, g.ink.x0 - end);
      end = Math.max(end, g.ink.x1, g.x + g.width);
    }
    return widest > 1.1 * size;
  });
}

interface Cell {
  glyphs: Glyph[];
  joint: string;
}

interface ColumnBeside {
  x: number;
  /** Space between it and the widest row before it. */
  space: string;
}

/**
 * What begins at the same place in several rows, at different distances from what is before it, is a column of its own.
 */
function findColumnBeside(lines: readonly DisplayLine[], from: number): ColumnBeside | null {
  const size = lines[0]?.line.size ?? 10;
  const rows = lines.map(({ glyphs }) => {
    const starts: { x: number; gap: number }[] = [];
    let end = Number.NaN;
    for (const g of glyphs.filter((g) => g.x >= from).sort((a, b) => a.x - b.x)) {
      const gap = Math.min(g.x, g.ink.x0) - end;
      if (gap > leastGap * size) starts.push({ x: g.x, gap });
      end = Number.isNaN(end) ? g.x + g.width : Math.max(end, g.ink.x1, g.x + g.width);
    }
    return { glyphs, starts };
  });
  for (const { x } of rows.flatMap(({ starts }) => starts).slice(0, mostStarts)) {
    const gaps = rows.flatMap(
      ({ starts }) => starts.find((one) => Math.abs(one.x - x) < 0.12 * size)?.gap ?? [],
    );
    const ends = rows.map(({ glyphs }) =>
      Math.max(...glyphs.filter((g) => g.x < x - 0.12 * size).map((g) => g.x + g.width)),
    );
    const others = rows.filter(({ starts }) => !starts.some((one) => Math.abs(one.x - x) < 0.12 * size));
    const isCrossed = others.some(({ glyphs }) => glyphs.some((g) => g.x + g.width > x - 0.5 * size));
    const isEven = Math.max(...gaps) - Math.min(...gaps) < 0.25 * size;
    const quads = Math.round((x - Math.max(...ends)) / size);
    if (gaps.length > 1 && !isCrossed && !isEven && quads > 0 && quads < 4)
      return { x, space: `${'\\qquad'.repeat(quads >> 1)}${'\\quad'.repeat(quads & 1)}` };
  }
  return null;
}

/** Least space between two columns, in ems. */
const leastGap = 0.8;
/** Most places that are looked at for one: a page of ordinary size has fewer. */
const mostStarts = 200;

/** What stands in the column beside is removed from the last cell. */
function takeBeside(cells: Cell[], beside: ColumnBeside | null): Cell | null {
  const last = cells.at(-1);
  if (!last || !beside) return null;
  const glyphs = last.glyphs.filter((g) => g.x > beside.x - 1);
  if (glyphs.length === 0 || glyphs.length === last.glyphs.length) return null;
  last.glyphs = last.glyphs.filter((g) => !glyphs.includes(g));
  return { glyphs, joint: `&${beside.space}& ` };
}

/** Words far to the right of an aligned row form a column of their own: they are removed from the last cell. */
function takeRemark(cells: Cell[], { line }: DisplayLine): Cell | null {
  const last = cells.at(-1);
  if (!last) return null;
  const sorted = [...last.glyphs].sort((a, b) => a.x - b.x);
  let end = sorted[0]?.x ?? 0;
  const at = sorted.findIndex((g) => {
    const isFar = g.ink.x0 - end > minRemarkGap * line.size;
    end = Math.max(end, g.ink.x1, g.x + g.width);
    return isFar;
  });
  if (at < 1) return null;
  const glyphs = sorted.slice(at);
  if (proseWords(glyphs, line).length === 0) return null;
  last.glyphs = sorted.slice(0, at);
  return { glyphs, joint: '&& ' };
}

/** Beyond \qquad, which writers set by hand, in ems. */
const minRemarkGap = 2.6;

function cutAt(line: DisplayLine, columns: readonly { x: number; isEdge: boolean }[]): Cell[] {
  const size = line.line.size;
  const [column] = columns;
  // the dots of &\vdots stand where the space before the relation begins
  if (column && isVerticalDots(line.glyphs)) {
    const isRight = line.glyphs.every((g) => g.x > column.x - 0.5 * size);
    const [left, right] = isRight ? [[], line.glyphs] : [line.glyphs, []];
    return [
      { glyphs: left, joint: '' },
      { glyphs: right, joint: '&' },
    ];
  }
  const cells: Cell[] = [];
  let from = Number.NEGATIVE_INFINITY;
  columns.forEach((column, k) => {
    const left = line.glyphs.filter((g) => g.x >= from && g.x < column.x - 0.2 * size);
    if (k === 0) cells.push({ glyphs: left, joint: '' });
    else {
      // between two relations, one pair ends and the next begins: cut at the widest gap
      const sorted = [...left].sort((a, b) => a.x - b.x);
      let at = 0;
      let widest = -1;
      let end = sorted[0]?.x ?? 0;
      sorted.forEach((g, i) => {
        if (i > 0 && g.ink.x0 - end > widest) {
          widest = g.ink.x0 - end;
          at = i;
        }
        end = Math.max(end, g.ink.x1, g.x + g.width);
      });
      cells.push({ glyphs: sorted.slice(0, at), joint: '&' }, { glyphs: sorted.slice(at), joint: '& ' });
    }
    from = column.x - 0.2 * size;
  });
  cells.push({ glyphs: line.glyphs.filter((g) => g.x >= from), joint: '&' });
  return cells;
}
