/** What the line model has seen of a line: signs with their columns, one after the other. */
import type { DecodedLine } from '../line/decode-line.ts';
import type { LineScores } from '../line/line-model.ts';

export interface LineEvidence {
  /** The line as it was read. */
  read: DecodedLine;
  /** Scores of the line's crops, all of the same columns of the page. */
  looks: readonly LineScores[];
  /** Width of the crops, px. */
  width: number;
  /** The token of each output. */
  tokens: readonly string[];
}

/** A sign of ink that the line model has named. */
export interface SeenSign {
  token: string;
  /** Where, px. */
  x: number;
  probability: number;
  /** Logarithms of the probabilities of all tokens there. */
  row: Float32Array;
  /** The scripts that it is in: `^_` is a script below one above the line. */
  path: string;
}

/** Tokens below this probability were not seen. */
const leastProbability = 0.3;
/** By how much (a logarithm) other tokens stand back behind the one that was read. */
const behindRead = 2;
const leastRead = 1e-3;

/** It leaves no ink of its own that is a sign. */
const isStructure = (token: string) =>
  /^(?:\}|\}\{|\]\{|\\\(|\\\)| )$/.test(token) || (token.endsWith('{') && token !== '\\{');

const deeper = (path: string, token: string) => {
  if (token === '^{' || token === '_{') return path + token[0];
  return token === '}' ? path.slice(0, -1) : path;
};

/** The signs in one crop, each by itself the likeliest. */
export function seenIn(look: LineScores, { width, tokens }: LineEvidence): SeenSign[] {
  const seen: SeenSign[] = [];
  let path = '';
  let before = 0;
  for (let frame = 0; frame < look.frames; frame++) {
    const row = look.values.subarray(frame * tokens.length, (frame + 1) * tokens.length);
    let best = 0;
    for (let token = 1; token < row.length; token++) if (row[token]! > row[best]!) best = token;
    const probability = Math.exp(row[best]!);
    const isSeen = best !== 0 && probability > leastProbability;
    const token = tokens[best]!;
    if (isSeen && best !== before) {
      path = deeper(path, token);
      if (!isStructure(token))
        seen.push({ token, x: ((frame + 0.5) * width) / look.frames, probability, row, path });
    } else if (isSeen && !isStructure(token) && probability > seen.at(-1)!.probability)
      Object.assign(seen.at(-1)!, { probability, row });
    before = isSeen ? best : 0;
  }
  return seen;
}

/** The signs of the line as it was read. */
export function seenAsRead({ read, looks, width, tokens }: LineEvidence): SeenSign[] {
  const [look] = looks;
  const frames = Math.max(1, read.tokens.at(-1)?.to ?? 0);
  const seen: SeenSign[] = [];
  let path = '';
  for (const { token, from, probability } of read.tokens) {
    path = deeper(path, token);
    if (!look || isStructure(token)) continue;
    const share = (from + 0.5) / frames;
    const frame = Math.min(look.frames - 1, Math.floor(share * look.frames));
    const row = look.values
      .subarray(frame * tokens.length, (frame + 1) * tokens.length)
      .map((value) => value - behindRead);
    row[tokens.indexOf(token)] = Math.log(Math.max(leastRead, probability));
    seen.push({ token, x: share * width, probability, row, path });
  }
  return seen;
}
