/** What the pad reads in the pen strokes of people whom training never saw. */
import { readDrawings, readStrokes } from '#reading/ink/strokes/read-strokes.ts';
import { readStrokes as loadStrokes } from './compose-strokes.ts';
import { listTestset, type openReader, readPicture } from './read-testset.ts';

/** Without the escapes and delimiters of LaTeX. */
const plain = (latex: string) =>
  latex
    .replace(/\\([#$%&_{}])/g, '$1')
    .replaceAll('$', '')
    .trim();
/** A formula's tokens. */
const tokens = (latex: string) =>
  (latex.match(/\\[A-Za-z]+|\\.|\S/gu) ?? []).filter((token) => token !== '\\(' && token !== '\\)').join(' ');

/**
 * Shares that are right in the first candidate, and in one of five. Words and lines are read from strokes; of
 * formulas there are only pictures, traced once.
 * @param limit most of each kind
 */
export async function readPad(
  reader: Awaited<ReturnType<typeof openReader>>,
  limit: number,
): Promise<Record<string, string>> {
  const deps = { model: reader.model, words: () => reader.words('en') };
  const figures: Record<string, string> = {};
  const tell = (name: string, ranks: readonly number[]) => {
    const share = (most: number) => ranks.filter((rank) => rank >= 0 && rank < most).length / ranks.length;
    figures[`pad: ${name}`] =
      `first ${share(1).toFixed(3)}, among five ${share(5).toFixed(3)}, ${ranks.length} drawings`;
  };
  const ink = await loadStrokes('testset');
  for (const set of ['words', 'lines'] as const) {
    const ranks: number[] = [];
    for (const { strokes, truth } of ink[set].slice(0, limit)) {
      // the pad's y goes downwards
      const drawn = strokes.map((stroke) => stroke.map((value, at) => (at % 2 === 0 ? value : -value)));
      const candidates = await readStrokes(drawn, 'text', deps);
      ranks.push(candidates.findIndex(({ latex }) => plain(latex) === plain(truth)));
    }
    tell(set, ranks);
  }
  const formulas = (await listTestset('testset')).filter(({ set }) => set === 'formulas').slice(0, limit);
  const ranks: number[] = [];
  for (const entry of formulas) {
    const candidates = await readDrawings([await readPicture('testset', entry)], 'formula', deps);
    ranks.push(candidates.findIndex(({ latex }) => tokens(latex) === tokens(entry.truth)));
  }
  tell('formulas', ranks);
  return figures;
}
