/** From a page model to LaTeX: without furniture, then objects, columns, lines, blocks. */

import { joinBodies } from '#latex/assemble/join-pages.ts';
import { applySplices } from '#latex/source/splice.ts';
import type { KnownLine } from '../positions/align-text.ts';
import { BlockWriter } from './blocks/blocks.ts';
import type { Element, PageObject } from './blocks/captions.ts';
import type { ColumnEdges } from './blocks/display.ts';
import { findFigures } from './blocks/figures.ts';
import { takeFootnotes } from './blocks/footnotes.ts';
import { Numbering } from './blocks/numbering.ts';
import { readTitle } from './blocks/title.ts';
import { guessLanguage } from './language.ts';
import { type Region, readingOrder } from './lines/columns.ts';
import { findFurniture } from './lines/furniture.ts';
import { type Line, linesOf, textOf } from './lines/lines.ts';
import { claimMathLetters, findVectors } from './lines/math-letters.ts';
import { boundsOf, centreX, centreY, contains, type Glyph, type PageModel, type Rule } from './model.ts';
import type { DocumentProfile } from './profile.ts';
import type { ReadState } from './state.ts';
import { findRuledObjects } from './tables/objects.ts';

/** The result of reading a page; figures are boxes that are still to be cropped from its picture. */
export interface PageReading {
  body: string;
  packages: string[];
  preamble: string[];
  title: { title: string; author?: string; date?: string } | null;
  columns: 1 | 2;
  language: string | null;
  figures: { name: string; box: { left: number; top: number; width: number; height: number } }[];
  /** The page's lines as printed, without running heads; boxes as fractions of the page. */
  lines: KnownLine[];
  startsParagraph: boolean;
  endsParagraph: boolean;
}

/**
 * `pageNumber` is the page's place in its file; `isWhole`: every page before it in the file was read too, so
 * headings before it count.
 */
export function readPage(
  model: PageModel,
  profile: DocumentProfile,
  pageNumber: number,
  isWhole: boolean,
): PageReading {
  const furniture = findFurniture(model, profile.repeated);
  let glyphs = model.glyphs.filter((g) => !furniture.glyphs.has(g));
  const printed = glyphs;
  if (profile.borrowsItalic) glyphs = claimMathLetters(glyphs, profile.bodySize);
  let rules = model.rules.filter((r) => !furniture.rules.has(r));
  const state: ReadState = {
    bodySize: profile.bodySize,
    leading: profile.leading,
    packages: new Set(),
    preamble: [],
    inline: { mathFonts: profile.mathFonts, packages: new Set(), vectors: findVectors(glyphs) },
    knows: (word) => profile.words.has(word.toLowerCase()),
    numbering: numberingBefore(profile, pageNumber, isWhole),
    lastNumber: lastNumber(profile, pageNumber, isWhole),
    headingSizes: profile.headingSizes,
    isAms: profile.isAms,
    loose: [],
    title: null,
  };
  state.inline.packages = state.packages;
  const figures = findFigures(model, glyphs);
  const objects: PageObject[] = figures.map((box, i) => ({
    kind: 'figure',
    box,
    latex: `\\begin{center}\n  \\includegraphics[width=${widthOf(box.x1 - box.x0, glyphs, model)}\\linewidth]{figure-p${pageNumber}-${i + 1}.png}\n\\end{center}`,
  }));
  if (figures.length > 0) state.packages.add('graphicx');
  for (const box of figures) {
    glyphs = glyphs.filter((g) => !contains(box, g.ink, 1));
    rules = rules.filter((r) => !contains(box, r, 1));
  }
  const ruled = findRuledObjects(rules, glyphs, model, state);
  objects.push(...ruled.objects);
  glyphs = glyphs.filter((g) => !ruled.glyphs.has(g));
  rules = rules.filter((r) => !ruled.rules.has(r));
  const footnotes = takeFootnotes(glyphs, rules, state);
  if (footnotes) {
    state.inline.footnotes = footnotes.notes;
    state.inline.metFootnotes = new Set();
    glyphs = glyphs.filter((g) => !footnotes.glyphs.has(g));
    rules = rules.filter((r) => r !== footnotes.rule);
  }
  if (pageNumber === 1 || profile.firstPage === pageNumber) {
    const title = readTitle(glyphs, rules, model, state);
    if (title) {
      state.title = title.title;
      glyphs = glyphs.filter((g) => !title.glyphs.has(g));
    }
  }
  for (const note of footnotes?.unmarked ?? []) {
    const date = /^(?:\\(?:emph|textit)\{Date\}: |\\(?:emph|textit)\{Date: ?\} ?)(.*)\.$/.exec(note)?.[1];
    if (date && state.title && state.title.date === undefined) state.title = { ...state.title, date };
    else state.loose.push(note);
  }
  const reading = writeBody(model, glyphs, rules, objects, figures, state, pageNumber);
  return { ...reading, lines: printedLines(model, printed, rules, state.bodySize) };
}

/** Lines in reading order, including those of titles, tables and notes. */
function printedLines(
  model: PageModel,
  glyphs: readonly Glyph[],
  rules: readonly Rule[],
  bodySize: number,
): KnownLine[] {
  return readingOrder(model, glyphs).flatMap((region) =>
    linesOf(
      region,
      rules.filter(
        (r) => r.x0 >= region.box.x0 - 4 && r.x1 <= region.box.x1 + 4 && r.x1 - r.x0 < 0.9 * model.width,
      ),
      bodySize,
    ).map(({ glyphs: own }) => {
      const box = boundsOf(own.map((g) => g.ink));
      return {
        text: own.map((g) => g.text).join(''),
        box: [
          box.x0 / model.width,
          box.y0 / model.height,
          (box.x1 - box.x0) / model.width,
          (box.y1 - box.y0) / model.height,
        ],
      };
    }),
  );
}

function lastNumber(profile: DocumentProfile, pageNumber: number, isWhole: boolean): string | null {
  if (!isWhole || pageNumber - 1 > profile.headings.length) return null;
  return profile.headings.slice(0, pageNumber - 1).findLast((n) => n !== null) ?? '';
}

/** The counters as the pages before leave them. */
function numberingBefore(profile: DocumentProfile, pageNumber: number, isWhole: boolean): Numbering {
  const isKnown = isWhole && pageNumber - 1 <= profile.numbered.length;
  const numbering = new Numbering(profile.counters, isKnown);
  if (isKnown) for (const event of profile.numbered.slice(0, pageNumber - 1).flat()) numbering.pass(event);
  return numbering;
}

function widthOf(width: number, glyphs: readonly Glyph[], model: PageModel): string {
  const text = glyphs.length > 0 ? boundsOf(glyphs.map((g) => g.ink)) : { x0: 0, x1: model.width };
  return Math.min(1, Math.max(0.1, width / Math.max(1, text.x1 - text.x0))).toFixed(2);
}

/** What was read of a region. */
interface Part {
  body: string;
  startsParagraph: boolean;
  endsParagraph: boolean;
}

const whole: Part = { body: '', startsParagraph: true, endsParagraph: true };

/** A column goes on in the next as a page does: a sentence, a broken word, a list. */
function joinParts(before: Part, after: Part): Part {
  if (before.body === '' || after.body === '') return before.body === '' ? after : before;
  const { beforeSplices, afterSplices, glue } = joinBodies({
    before: before.body,
    after: after.body,
    endsParagraph: before.endsParagraph,
    startsParagraph: after.startsParagraph,
  });
  const [upper, lower] = [applySplices(before.body, beforeSplices), applySplices(after.body, afterSplices)];
  return { ...after, body: `${upper.text}${glue}${lower.text}`, startsParagraph: before.startsParagraph };
}

/** Two columns of a part of the page are not the document's. */
function isInColumns(regions: readonly Region[]): boolean {
  const count = (own: readonly Region[]) => own.reduce((sum, { glyphs }) => sum + glyphs.length, 0);
  return count(regions.filter((r) => r.column !== 0)) > 0.5 * count(regions);
}

function writeBody(
  model: PageModel,
  glyphs: Glyph[],
  rules: Rule[],
  objects: PageObject[],
  figures: readonly { x0: number; y0: number; x1: number; y1: number }[],
  state: ReadState,
  pageNumber: number,
): Omit<PageReading, 'lines'> {
  const regions = readingOrder(model, glyphs);
  const parts: Part[] = [];
  const pending = [...objects];
  let allText = '';
  for (const region of regions) {
    const inside = rules.filter(
      (r) =>
        centreX(r) >= region.box.x0 &&
        centreX(r) <= region.box.x1 &&
        centreY(r) >= region.box.y0 - 4 &&
        centreY(r) <= region.box.y1 + 4,
    );
    const lines = linesOf(
      region,
      inside.filter((r) => r.x1 - r.x0 < 0.9 * model.width),
      state.bodySize,
    );
    const mine = pending.filter(
      (o) =>
        centreX(o.box) >= region.box.x0 &&
        centreX(o.box) <= region.box.x1 &&
        centreY(o.box) >= region.box.y0 &&
        centreY(o.box) <= region.box.y1,
    );
    for (const o of mine) pending.splice(pending.indexOf(o), 1);
    const elements: Element[] = [
      ...lines.map((line): Element => ({ kind: 'line', line })),
      ...mine.map((object): Element => ({ kind: 'object', object })),
    ];
    elements.sort((a, b) => topOf(a) - topOf(b));
    const writer = new BlockWriter(
      state,
      edgesOf(
        lines,
        state.bodySize,
        region.column === 0 ? regions.filter((r) => r.column === 0).flatMap((r) => r.glyphs) : region.glyphs,
        regions.length === 1 ? model.width : null,
      ),
    );
    const body = writer.write(elements).trim();
    parts.push({ body, startsParagraph: startsOf(lines[0]), endsParagraph: writer.endsParagraph });
    allText += region.glyphs.length > 0 ? ` ${lines.map(textOf).join(' ')}` : '';
  }
  const { body, startsParagraph, endsParagraph } = parts.reduce(joinParts, whole);
  const bodies = [`${body}\n\n`];
  for (const o of pending) bodies.push(`${o.latex}\n\n`);
  for (const note of state.loose) bodies.push(`{\\footnotesize ${note}\\par}\n\n`);
  // a note whose mark was not found is kept as text
  for (const [mark, note] of state.inline.footnotes ?? [])
    if (!state.inline.metFootnotes?.has(mark)) bodies.push(`\\textsuperscript{${mark}}${note}\n\n`);
  return {
    body: bodies
      .join('')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    packages: [...state.packages],
    preamble: state.preamble,
    title: state.title,
    columns: isInColumns(regions) ? 2 : 1,
    language: guessLanguage(allText),
    figures: figures.map((b, i) => ({
      name: `figure-p${pageNumber}-${i + 1}.png`,
      box: {
        left: b.x0 / model.width,
        top: b.y0 / model.height,
        width: (b.x1 - b.x0) / model.width,
        height: (b.y1 - b.y0) / model.height,
      },
    })),
    startsParagraph,
    endsParagraph,
  };
}

function topOf(element: Element): number {
  return element.kind === 'line' ? element.line.y0 : element.object.box.y0;
}

/** A page that begins with a lower-case letter begins mid-sentence. */
function startsOf(line: Line | undefined): boolean {
  const first = line?.glyphs[0];
  return !first || !/^\p{Ll}/u.test(first.text) || first.font.family !== 'none';
}

/** Left and right edge of a column's text: where most lines begin, and the furthest that lines end. */
function edgesOf(
  lines: readonly Line[],
  bodySize: number,
  glyphs: readonly Glyph[],
  pageWidth: number | null,
): ColumnEdges {
  if (lines.length === 0) return { left: 0, right: 1 };
  const box = boundsOf(glyphs.map((g) => g.ink));
  const lefts = lines.map((l) => l.x0).sort((a, b) => a - b);
  const counts = lefts.map((x) => ({ x, n: lefts.filter((o) => Math.abs(o - x) < 1.5).length }));
  const frequent = counts.filter((c) => c.n >= Math.max(2, 0.12 * lines.length)).map((c) => c.x);
  const left = frequent.length > 0 ? Math.min(...frequent) : box.x0;
  const rights = lines.map((l) => l.x1).sort((a, b) => b - a);
  // where most lines end, not the longest: narrow columns have overfull lines
  const support = (x: number) => rights.filter((o) => Math.abs(o - x) < 1.5).length;
  const most = Math.max(...rights.map(support));
  const common = rights.find((x) => support(x) >= Math.max(2, 0.25 * most)) ?? rights[0] ?? box.x1;
  const shared = support(common) >= 2 ? common : box.x1;
  const edges: ColumnEdges = {
    ...(pageWidth === null ? {} : { middle: pageWidth / 2 }),
    left: Math.min(left, box.x0 + 0.5 * bodySize),
    right: support(common) >= 4 ? shared : Math.max(shared, box.x1 - 3 * bodySize),
  };
  // only short lines: the text block is assumed to be centred on the page
  const isShown = rights.filter((x) => Math.abs(x - edges.right) < 1.5).length >= 3;
  if (pageWidth !== null && !isShown) edges.right = Math.max(edges.right, pageWidth - edges.left);
  return edges;
}
