/**
 * Joins page bodies into one document. The source map records which range of the final LaTeX came from which page, and
 * doubtful spans move to their final offsets.
 */
import type { DoubtfulSpan } from '#shared/api/conversion.ts';
import type { Warning } from '#shared/api/errors.ts';
import { applySplices, mapSpans, type Splice } from '../source/splice.ts';
import { mapCharacters, otherScriptCommand } from '../source/unicode.ts';
import { joinBodies } from './join-pages.ts';
import { renameLabels } from './labels.ts';
import type { NumberedPage, PageBody, PagePlace, SourcePiece, TitleBlock } from './page-body.ts';
import { isPreambleLine, languageLines, mergePreamble, missingTheorems, packageLines } from './preamble.ts';
import { moveRanges, type SourceRange } from './source-map.ts';

export interface AssembleOptions {
  /** Packages that a compile found missing. */
  refusedPackages?: ReadonlySet<string>;
  /** Packages needed besides those detected. */
  extraPackages?: readonly string[];
  /** Preamble lines to leave out because they failed in a compile. */
  refusedPreamble?: ReadonlySet<string>;
}

export interface AssembledDocument {
  /** `\documentclass` to `\end{document}`, with a line feed at its end. */
  latex: string;
  /** One entry per page, in order; the text between entries was added by assembling. */
  sourceMap: SourcePiece[];
  /** Offsets into `latex`. */
  doubtful: (DoubtfulSpan & { page: number })[];
  /** Ranges of `latex` with the ink they were read from, in order. */
  places: SourceRange[];
  /** What assembling had to change or leave out. The pages' own warnings are not repeated. */
  warnings: Warning[];
  /** The page that an offset into `latex` came from, and the offset in its body; null for text added by assembling. */
  locate(offset: number): { page: number; offset: number } | null;
  /** Offset where the body begins: after `\begin{document}` and its line feed. */
  bodyStart: number;
}

/** 11 pt on A4 with margins of 2.5 cm: most notes fit without overfull lines. */
const classOptions = ['11pt', 'a4paper'];
const geometry = '\\usepackage[margin=2.5cm]{geometry}';
/** From this share of letters of another script, the whole document uses a font that has them. */
const otherScriptShare = 0.2;

interface Work {
  number: number;
  page: PageBody;
  body: string;
  doubtful: DoubtfulSpan[];
  places: PagePlace[];
  startsParagraph: boolean;
  prefix: string;
  /** Place of a title in the prefix: `[start, end)` are offsets into the prefix. */
  prefixPlace?: PagePlace;
  /** Undo the splices made so far, the last one first. */
  unmap: ((offset: number) => number)[];
}

function splice(work: Work, splices: readonly Splice[]): void {
  if (splices.length === 0) return;
  const spliced = applySplices(work.body, splices);
  work.doubtful = mapSpans(work.doubtful, spliced);
  work.places = moveRanges(work.places, spliced.made);
  work.unmap.unshift(spliced.unmapOffset);
  work.body = spliced.text;
}

function mostCommon<T>(values: readonly (T | undefined)[]): T | undefined {
  const counts = new Map<T, number>();
  for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

const sameTitle = (a: TitleBlock, b: TitleBlock) =>
  a.title.replace(/\W+/g, '').toLowerCase() === b.title.replace(/\W+/g, '').toLowerCase();

/** Converts a place in a page's text to a range of the document, where that text begins at `offset`. */
function placeAt({ start, end, box, isApproximate }: PagePlace, page: number, offset: number): SourceRange {
  return { start: start + offset, end: end + offset, page, box, ...(isApproximate ? { isApproximate } : {}) };
}

/** Keeps a later page's title as text: a document has one title block. */
function titleParagraph(title: TitleBlock): string {
  const below = [title.author, title.date].filter((part) => part?.trim());
  return `\\begin{center}\n{\\Large ${title.title}}${below.map((part) => `\\\\\n${part}`).join('')}\n\\end{center}\n\n`;
}

/** Replaces characters in a title by what the fonts print; titles are short and have no spans. */
function printable(text: string, wraps: boolean): string {
  return applySplices(text, mapCharacters(text, wraps).splices).text;
}

export function assembleDocument(
  pages: readonly NumberedPage[],
  options: AssembleOptions = {},
): AssembledDocument {
  const warnings: Warning[] = [];
  const works: Work[] = pages.map(({ number, page }) => ({
    number,
    page,
    body: page.body,
    doubtful: [...page.doubtful],
    places: [...(page.places ?? [])],
    startsParagraph: page.startsParagraph,
    prefix: '',
    unmap: [],
  }));

  const reports = works.map((work) => mapCharacters(work.body, true));
  const letters = reports.reduce((sum, report) => sum + report.letters, 0);
  const otherLetters = reports.reduce((sum, report) => sum + report.otherScriptLetters, 0);
  const isOtherScript = letters > 0 && otherLetters / letters >= otherScriptShare;
  works.forEach((work, index) => {
    const report = isOtherScript ? mapCharacters(work.body, false) : reports[index]!;
    splice(work, report.splices);
    if (report.unprintable.length > 0) {
      warnings.push({
        code: 'CHARACTERS_NOT_PRINTED',
        message: `No installed font prints ${report.unprintable.slice(0, 12).join(' ')}${report.unprintable.length > 12 ? ' …' : ''}: the LaTeX keeps them, the PDF leaves a gap.`,
        page: work.number,
      });
    }
  });

  const taken = new Set<string>();
  for (const work of works) splice(work, renameLabels(work.body, work.number, taken));

  let title: TitleBlock | undefined;
  let titlePage = 0;
  for (const work of works) {
    const own = work.page.title;
    if (!own?.title.trim()) continue;
    if (!title) {
      title = own;
      titlePage = work.number;
      work.prefix = '\\maketitle\n\n';
      work.startsParagraph = true;
    } else if (!sameTitle(title, own)) {
      work.prefix = printable(titleParagraph(own), !isOtherScript);
      if (own.box) work.prefixPlace = { start: 0, end: work.prefix.trimEnd().length, box: own.box };
      work.startsParagraph = true;
    }
  }

  const lines = works.map((work) => ({
    number: work.number,
    lines: work.page.preamble.filter((line) => {
      if (options.refusedPreamble?.has(line.trim())) return false;
      if (isPreambleLine(line)) return true;
      if (line.trim() !== '') {
        warnings.push({
          code: 'PREAMBLE_LINE_DROPPED',
          message: 'A line that this page asked for in the preamble was left out.',
          page: work.number,
        });
      }
      return false;
    }),
  }));
  const preamble = mergePreamble(lines);
  for (const [number, own] of preamble.redefinitions) {
    const work = works.find((one) => one.number === number)!;
    const head = `${own.join('\n')}\n`;
    work.prefix = head + work.prefix;
    if (work.prefixPlace) {
      work.prefixPlace.start += head.length;
      work.prefixPlace.end += head.length;
    }
  }

  let body = '';
  const sourceMap: SourcePiece[] = [];
  const doubtful: (DoubtfulSpan & { page: number })[] = [];
  let places: SourceRange[] = [];
  works.forEach((work, index) => {
    const previous = works[index - 1];
    let glue = '';
    if (previous) {
      const last = sourceMap[sourceMap.length - 1]!;
      const join = joinBodies({
        before: body.slice(last.start, last.end),
        after: work.body,
        // Across a missing page no sentence continues.
        endsParagraph:
          previous.page.endsParagraph || previous.number + 1 !== work.number || work.prefix !== '',
        startsParagraph: work.startsParagraph || previous.number + 1 !== work.number || work.prefix !== '',
      });
      const tail = applySplices(body.slice(last.start, last.end), join.beforeSplices);
      body = body.slice(0, last.start) + tail.text;
      previous.unmap.unshift(tail.unmapOffset);
      for (const span of doubtful) {
        if (span.page !== last.page) continue;
        span.start = last.start + tail.mapOffset(span.start - last.start);
        span.end = last.start + tail.mapOffset(span.end - last.start);
      }
      const inBody = tail.made.map(({ start, end, text }) => ({
        start: start + last.start,
        end: end + last.start,
        text,
      }));
      places = moveRanges(places, inBody);
      last.end = body.length;
      splice(work, join.afterSplices);
      glue = work.prefix !== '' ? '\n\n' : join.glue;
    }
    body += glue;
    if (work.prefixPlace) places.push(placeAt(work.prefixPlace, work.number, body.length));
    body += work.prefix;
    const start = body.length;
    body += work.body;
    sourceMap.push({ page: work.number, start, end: body.length });
    for (const span of work.doubtful) {
      doubtful.push({ ...span, page: work.number, start: span.start + start, end: span.end + start });
    }
    for (const place of work.places) places.push(placeAt(place, work.number, start));
  });

  const everything = `${preamble.lines.join('\n')}\n${body}\n${title ? `${title.title} ${title.author ?? ''}` : ''}`;
  const theorems = missingTheorems(body, preamble.lines);
  const isTwoColumn = mostCommon(works.map((work) => work.page.layout?.columns)) === 2;
  const needsFallback = isOtherScript || body.includes(otherScriptCommand);
  const language = options.refusedPackages?.has('babel')
    ? []
    : languageLines(mostCommon(works.map((work) => work.page.layout?.language)));
  const hasWideMatrix = /(&[^&\\]*){10,}/.test(body);
  const declared = works.flatMap((work) => work.page.packages);
  const packages = packageLines(
    everything,
    declared,
    options.refusedPackages ?? new Set(),
    options.extraPackages ?? [],
  );
  const head = [
    `\\documentclass[${[...classOptions, ...(isTwoColumn ? ['twocolumn'] : [])].join(',')}]{article}`,
    geometry,
    ...(needsFallback
      ? [
          '\\usepackage{fontspec}',
          ...(isOtherScript
            ? ['\\setmainfont{Liberation Serif}', '\\setmonofont{Liberation Mono}']
            : [`\\newfontfamily${otherScriptCommand}{Liberation Serif}`]),
        ]
      : []),
    ...language,
    ...packages,
    ...(hasWideMatrix && /matrix\}/.test(body) ? ['\\setcounter{MaxMatrixCols}{30}'] : []),
    ...preamble.lines,
    ...theorems,
    ...(title
      ? [
          `\\title{${printable(title.title, !isOtherScript)}}`,
          `\\author{${printable(title.author ?? '', !isOtherScript)}}`,
          `\\date{${printable(title.date ?? '', !isOtherScript)}}`,
        ]
      : []),
    '\\begin{document}',
    '',
  ].join('\n');
  const offset = head.length;
  for (const piece of sourceMap) {
    piece.start += offset;
    piece.end += offset;
  }
  for (const span of doubtful) {
    span.start += offset;
    span.end += offset;
  }
  const end = offset + body.trimEnd().length;
  const whole = places
    .map((place) => ({ ...place, start: place.start + offset, end: Math.min(place.end + offset, end) }))
    .filter((place) => place.end > place.start);
  if (title?.box) {
    const start = head.indexOf('\\title{');
    whole.unshift({
      start,
      end: head.indexOf('\n\\begin{document}', start),
      page: titlePage,
      box: title.box,
    });
  }
  return {
    latex: `${head}${body.trimEnd()}\n\\end{document}\n`,
    sourceMap: sourceMap.map((piece) => ({ ...piece, end: Math.min(piece.end, end) })),
    doubtful,
    places: whole,
    warnings,
    bodyStart: offset,
    locate(at) {
      const index = sourceMap.findIndex((piece) => at >= piece.start && at <= piece.end);
      const piece = sourceMap[index];
      const work = works[index];
      if (!piece || !work) return null;
      return { page: piece.page, offset: work.unmap.reduce((value, undo) => undo(value), at - piece.start) };
    },
  };
}
