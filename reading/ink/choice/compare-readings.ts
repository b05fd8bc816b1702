/** Chooses the likeliest of several readings of one line. */

import { type DecodedLine, placeTokens, tellApart, withoutEnclosure } from '../line/decode-line.ts';
import { edge, type FormulaLanguage } from '../line/formula-language.ts';
import { logLikelihood } from '../line/likelihood.ts';
import type { LineScores } from '../line/line-model.ts';
import { lineConfidence } from './confidence.ts';

/** An accent over more signs than this is not an accent but the paper's ruling. */
const accent = /^\\(?:bar|vec|hat|tilde|dot|ddot|overline|underline|widehat)\{$/;
const longestAccented = 3;
const falseAccent = 0.05;
/** Floor of one crop's log likelihood: a crop cannot count more than this against a reading. */
const leastVote = -40;
/** How many readings of a formula each crop proposes; of further ones hardly any is ever right. */
const proposed = 12;
/** As in decode-line.ts, for the choice among whole formulas. */
const languageWeight = 0.5;
const languageOffset = 3;

/** How sure a reading is, compared with another of the same ink. */
export function likelihoodOf(line: DecodedLine): number {
  return lineConfidence(line) * falseAccent ** accentsOver(line.tokens.map(({ token }) => token));
}

export function surestOf(readings: readonly DecodedLine[]): DecodedLine {
  return readings.reduce((a, b) => (likelihoodOf(b) > likelihoodOf(a) ? b : a));
}

/**
 * The reading that all crops of a line together make likeliest (the mean of their log likelihoods), among those of the
 * surest reading's kind, formula or text. Of a formula, every reading that a crop considered can be chosen.
 * @param readings one per crop; the scores include the bonus for known words
 * @param looks the model's scores, one per crop
 * @param tokens what each output means; the first is the blank
 */
export function agree(
  readings: readonly DecodedLine[],
  looks: readonly LineScores[],
  tokens: readonly string[],
  language: FormulaLanguage | null = null,
): DecodedLine {
  const surest = surestOf(readings);
  if (isOneFormula(surest.tokens.map(({ token }) => token)))
    return agreeOnFormula(readings, looks, tokens, language) ?? surest;
  const voteFor = (read: DecodedLine, own: LineScores) => {
    const said = read.tokens.map(({ token }) => tokens.indexOf(token));
    const forWords = read.score - logLikelihood(said, own, tokens.length);
    return meanVote(said, looks, tokens) + forWords;
  };
  return readings
    .map((read, at) => ({ read, own: looks[at]!, said: read.tokens.map(({ token }) => token) }))
    .filter(({ said }) => said.length > 0 && !isOneFormula(said))
    .map(({ read, own, said }) => ({ read, vote: voteFor(read, own) + forAccents(said) }))
    .reduce((a, b) => (b.vote > a.vote ? b : a), { read: surest, vote: Number.NEGATIVE_INFINITY }).read;
}

function agreeOnFormula(
  readings: readonly DecodedLine[],
  looks: readonly LineScores[],
  tokens: readonly string[],
  language: FormulaLanguage | null,
): DecodedLine | null {
  const open = looks.map((look) => withoutEnclosure(look, tokens));
  const candidates = new Map<string, string[]>();
  for (const { tokens: best, others = [] } of readings)
    for (const said of [best.map(({ token }) => token), ...others.map((other) => other.tokens)]
      .filter(isOneFormula)
      .slice(0, proposed))
      candidates.set(said.join('\n'), said.slice(1, -1));
  const voted = [...candidates.values()]
    .map((inside) => {
      const said = inside.map((token) => tokens.indexOf(token));
      const forLanguage = language ? fluencyOf(said, language) : 0;
      return { inside, said, vote: meanVote(said, open, tokens) + forLanguage + forAccents(inside) };
    })
    .sort((a, b) => b.vote - a.vote);
  const [best] = voted;
  if (!best) return null;
  const all = voted.reduce((sum, { vote }) => sum + Math.exp(vote - best.vote), 0);
  const others = tellApart(
    voted.map(({ inside, vote }) => ({
      tokens: ['\\(', ...inside, '\\)'],
      share: Math.exp(vote - best.vote) / all,
      score: vote,
    })),
  );
  const own = open.reduce((a, b) =>
    logLikelihood(best.said, b, tokens.length) > logLikelihood(best.said, a, tokens.length) ? b : a,
  );
  const enclosure = (token: string, at: number) => ({ token, probability: 1, from: at, to: at });
  return {
    tokens: [enclosure('\\(', 0), ...placeTokens(best.said, own, tokens), enclosure('\\)', own.frames)],
    share: 1 / all,
    score: best.vote,
    fluency: language ? fluencyOf(best.said, language) : 0,
    others,
  };
}

/** What all crops of a line say to a reading. */
export function meanVote(
  said: readonly number[],
  looks: readonly LineScores[],
  tokens: readonly string[],
): number {
  const votes = looks.map((look) => Math.max(leastVote, logLikelihood(said, look, tokens.length)));
  return votes.reduce((sum, vote) => sum + vote, 0) / votes.length;
}

/** The language model's logarithm for a whole formula, its end included. */
export function languageOf(said: readonly number[], language: FormulaLanguage): number {
  const signs = [edge, edge, ...said, edge];
  return signs
    .slice(2)
    .reduce((sum, sign, at) => sum + language.logProbability(signs[at]!, signs[at + 1]!, sign), 0);
}

const fluencyOf = (said: readonly number[], language: FormulaLanguage) =>
  languageWeight * (languageOf(said, language) + languageOffset * (said.length + 1));

const forAccents = (said: readonly string[]) => accentsOver(said) * Math.log(falseAccent);

/** The line is one formula, with nothing before or after it. */
export function isOneFormula(said: readonly string[]): boolean {
  return said[0] === '\\(' && said.length > 2 && said.indexOf('\\)') === said.length - 1;
}

function accentsOver(said: readonly string[]): number {
  return said.filter(
    (token, at) =>
      accent.test(token) && said.slice(at, at + longestAccented + 2).every((other) => other !== '}'),
  ).length;
}
