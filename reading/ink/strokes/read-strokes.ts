/** What pen strokes may say, the likeliest first. */
import type { Bitmap } from '../../page.ts';
import { decodeLine, withoutEnclosure } from '../line/decode-line.ts';
import { logLikelihood } from '../line/likelihood.ts';
import type { LineModel } from '../line/line-model.ts';
import { toLinePicture } from '../line/line-picture.ts';
import { bonusOf } from '../read-lines.ts';
import { asDisplay, asText } from '../spell-ink.ts';
import { drawStrokes, type Pen, type Stroke } from './draw-strokes.ts';

/** `formula`: all of it is one formula. `text`: words, perhaps with formulas among them. */
export type StrokeKind = 'formula' | 'text';

export interface Candidate {
  /** A formula without delimiters, or text with its formulas in `$`. */
  latex: string;
  /** 0 … 1: how likely among these candidates. */
  share: number;
}

/** The same strokes drawn differently: what all drawings make likely is rarely an accident of one. */
const pens: readonly Pen[] = [
  { width: 2, margin: 5 },
  { width: 2.6, margin: 9 },
  { width: 1.7, margin: 3 },
];
const mostCandidates = 5;
/** Letters with accents, currencies: nothing of a formula. */
const notMaths = /[^ -~]/;
/** A drawing that makes a reading less likely than this, as a logarithm, counts no further against it. */
const leastVote = -40;

export interface StrokeReaderDeps {
  model: LineModel;
  /** True for a word of a language with a dictionary; read for text only. */
  words: () => Promise<(word: string) => boolean>;
}

export async function readStrokes(
  strokes: readonly Stroke[],
  kind: StrokeKind,
  deps: StrokeReaderDeps,
): Promise<Candidate[]> {
  const drawings = await Promise.all(pens.map((pen) => drawStrokes(strokes, pen)));
  return readDrawings(drawings, kind, deps);
}

/** @param drawings pictures of the same line */
export async function readDrawings(
  drawings: readonly Bitmap[],
  kind: StrokeKind,
  { model, words }: StrokeReaderDeps,
): Promise<Candidate[]> {
  const { tokens } = model;
  const isFormula = kind === 'formula';
  const isKnown = isFormula ? null : await words();
  const options = isKnown
    ? ({ from: 'text', wordBonus: (word: string) => bonusOf(word, isKnown) } as const)
    : ({ from: 'maths' } as const);
  const isSaid = (token: string) => !isFormula || (token !== '\\(' && token !== '\\)');
  const looks = await Promise.all(
    drawings.map(async (drawing) => {
      const read = await model.score(toLinePicture(drawing));
      const { tokens: best, score, others = [] } = decodeLine(read, tokens, options);
      const readings = [{ tokens: best.map(({ token }) => token), score }, ...others];
      const scores = isFormula ? withoutEnclosure(read, tokens) : read;
      return { scores, readings: readings.map((one) => ({ ...one, tokens: one.tokens.filter(isSaid) })) };
    }),
  );
  const { write } = isFormula ? asDisplay : asText;
  const votes = new Map<string, number>();
  for (const look of looks)
    for (const { tokens: said, score } of look.readings) {
      const latex = write(said.map((token) => ({ token }))).trim();
      if (latex === '' || votes.has(latex) || (isFormula && notMaths.test(latex))) continue;
      const places = said.map((token) => tokens.indexOf(token));
      const likelihood = ({ scores }: typeof look) => logLikelihood(places, scores, tokens.length);
      const all = looks.map((other) => Math.max(leastVote, likelihood(other)));
      const forWords = isFormula ? 0 : score - likelihood(look);
      votes.set(latex, all.reduce((sum, vote) => sum + vote, 0) / all.length + forWords);
    }
  const likeliest = [...votes].sort(([, a], [, b]) => b - a).slice(0, mostCandidates);
  const most = likeliest[0]?.[1] ?? 0;
  const sum = likeliest.reduce((total, [, vote]) => total + Math.exp(vote - most), 0);
  return likeliest.map(([latex, vote]) => ({ latex, share: Math.exp(vote - most) / sum }));
}
