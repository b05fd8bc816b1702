/**
 * Sets marks of doubt in a converted document; with them it is compiled again, so that LaTeX and PDF show the
 * same text.
 */
import { markDoubts } from '#latex/assemble/mark-doubts.ts';
import { toLines, toRanges } from '#latex/assemble/source-map.ts';
import type { Typesetter } from '#typesetting/index.ts';
import type { ConvertResult } from '../../conversion/index.ts';

type ConvertedDocument = Extract<ConvertResult, { kind: 'converted' }>['document'];

const notMarked = {
  code: 'DOUBTS_NOT_MARKED',
  message: 'Doubtful readings are listed, but not marked in the LaTeX: with the marks it would not compile.',
};

export async function withMarks(
  document: ConvertedDocument,
  form: 'marked' | 'colour',
  typesetter: Typesetter,
  signal: AbortSignal,
): Promise<ConvertedDocument> {
  const { latex, doubtful, lines, figures } = document;
  const places = toRanges(latex, lines);
  const done = markDoubts(latex, doubtful, form === 'colour' ? 'colour' : 'plain', places);
  if (!done || done.marked === 0) return document;
  const compiled = await typesetter.compile({
    latex: done.latex,
    assets: figures.map(({ name, bytes }) => ({ name, bytes })),
    owner: 'command line',
    signal,
  });
  if (compiled.kind !== 'compiled') return { ...document, warnings: [...document.warnings, notMarked] };
  return {
    ...document,
    latex: done.latex,
    pdf: compiled.pdf,
    doubtful: done.doubtful,
    lines: toLines(done.latex, done.places),
  };
}
