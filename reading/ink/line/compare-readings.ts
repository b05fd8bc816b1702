/** Chooses the likeliest of several readings of one line. */
import { lineConfidence } from './confidence.ts';
import { type DecodedLine, withoutEnclosure } from './decode-line.ts';
import { logLikelihood } from './likelihood.ts';
import type { LineScores } from './line-model.ts';

/** An accent over more signs than this is not an accent but the paper's ruling. */
const accent = /^\\(?:bar|vec|hat|tilde|dot|ddot|overline|underline|widehat)\{$/;
const longestAccented = 3;
const falseAccent = 0.05;
/** Floor of one crop's log likelihood: a crop cannot count more than this against a reading. */
const leastVote = -40;

/** How sure a reading is, compared with another of the same ink. */
export function likelihoodOf(line: DecodedLine): number {
  return lineConfidence(line) * falseAccent ** accentsOver(line);
}

export function surestOf(readings: readonly DecodedLine[]): DecodedLine {
  return readings.reduce((a, b) => (likelihoodOf(b) > likelihoodOf(a) ? b : a));
}

/**
 * The reading that all crops of a line together make likeliest (the mean of their log likelihoods), among those of the
 * surest reading's kind: formula or text.
 * @param readings one per crop; the scores include the bonus for known words
 * @param looks the model's scores, one per crop
 * @param tokens what each output means; the first is the blank
 */
export function agree(
  readings: readonly DecodedLine[],
  looks: readonly LineScores[],
  tokens: readonly string[],
): DecodedLine {
  const surest = surestOf(readings);
  const isMaths = isOneFormula(surest);
  const scores = isMaths ? looks.map((look) => withoutEnclosure(look, tokens)) : looks;
  const voteFor = (read: DecodedLine, own: LineScores) => {
    const said = (isMaths ? read.tokens.slice(1, -1) : read.tokens).map(({ token }) => tokens.indexOf(token));
    const votes = scores.map((look) => Math.max(leastVote, logLikelihood(said, look, tokens.length)));
    const mean = votes.reduce((sum, vote) => sum + vote, 0) / votes.length;
    const forWords = read.score - logLikelihood(said, own, tokens.length);
    return mean + forWords + accentsOver(read) * Math.log(falseAccent);
  };
  return readings
    .map((read, at) => ({ read, own: scores[at]! }))
    .filter(({ read }) => read.tokens.length > 0 && isOneFormula(read) === isMaths)
    .map(({ read, own }) => ({ read, vote: voteFor(read, own) }))
    .reduce((a, b) => (b.vote > a.vote ? b : a), { read: surest, vote: Number.NEGATIVE_INFINITY }).read;
}

/** The line is one formula, with nothing before or after it. */
function isOneFormula({ tokens }: DecodedLine): boolean {
  const end = tokens.findIndex(({ token }) => token === '\\)');
  return tokens[0]?.token === '\\(' && end === tokens.length - 1;
}

function accentsOver({ tokens }: DecodedLine): number {
  return tokens.filter(
    ({ token }, at) =>
      accent.test(token) && tokens.slice(at, at + longestAccented + 2).every((other) => other.token !== '}'),
  ).length;
}
