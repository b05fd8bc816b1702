/**
 * Decodes the model's scores: a prefix beam search over CTC that keeps only readings with balanced LaTeX
 * (line-grammar.ts) and prefers known words.
 */

import { edge, type FormulaLanguage } from './formula-language.ts';
import { closing, follow, type LinePlace, lineStart } from './line-grammar.ts';
import type { LineScores } from './line-model.ts';

export interface ReadToken {
  token: string;
  /** 0 … 1: the model's own probability. */
  probability: number;
  /** Frames in which it was seen: the first, and the one after the last. */
  from: number;
  to: number;
}

export interface DecodedLine {
  tokens: ReadToken[];
  /** Share of the beam’s probability that this reading has, 0 … 1. */
  share: number;
  /** Its log probability, including the bonus for known words and its fluency. */
  score: number;
  /** What the language model added for its formulas. */
  fluency: number;
  /** Other readings of the line, likeliest first; empty if the beam has only one. */
  others?: OtherReading[];
}

/** Another reading of a line; it differs from all others in more than its spaces. */
export interface OtherReading {
  tokens: string[];
  /** Like those of the best reading. */
  share: number;
  score: number;
}

export interface DecodeOptions {
  /** Added to a reading's log probability for a known word of this many letters. Default: no words are known. */
  wordBonus?: (word: string) => number;
  /** `maths`: the whole line is one formula, wherever the model starts and ends formulas. Default `text`. */
  from?: 'text' | 'maths';
  /** How many other readings to return at most; `all`: every one in the beam. Default: five. */
  others?: 'all';
  /** Weighs formulas by what usually follows what. Default: by their look alone. */
  language?: FormulaLanguage | null;
}

/** Readings kept from frame to frame. */
const beamWidth = 16;
/** How many of them are returned besides the best. */
const fewOthers = 5;
/** Penalty for a reading whose formula is still open at the end of the line. */
const openPenalty = -4;
/** A frame's tokens below this log probability are not followed, apart from the best few. */
const leastScore = -7;
const mostTokens = 12;
/**
 * Weight of the language model's logarithms, and what is added to each so that it does not favour short formulas. Chosen
 * on photographs of paper; left-out writers choose nearly the same (docs/decisions/125-formulas-have-a-language.md).
 */
const languageWeight = 0.3;
const languageOffset = 3.5;

/** A reading of the frames so far. Readings form a tree: each continues `before` by one token. */
interface Reading {
  before: Reading | null;
  token: number;
  place: LinePlace;
  /** Log probability of all paths to this reading that end in a blank, or in its last token. */
  blank: number;
  spoken: number;
  /** The same after the frame that is being decoded. */
  nextBlank: number;
  nextSpoken: number;
  /** Bonus for the words so far. */
  bonus: number;
  /** What the language model adds for its formulas. */
  fluency: number;
  /** The word at its end, so far. */
  word: string;
  /** Its continuations so far, if it was ever in the beam; null for a token that may not follow. */
  after: Map<number, Reading | null> | null;
}

const none = Number.NEGATIVE_INFINITY;

function add(a: number, b: number): number {
  if (a === none) return b;
  if (b === none) return a;
  return a > b ? a + Math.log1p(Math.exp(b - a)) : b + Math.log1p(Math.exp(a - b));
}

const total = (reading: Reading) => add(reading.blank, reading.spoken) + reading.bonus + reading.fluency;

function begin(reading: Omit<Reading, 'blank' | 'spoken' | 'nextBlank' | 'nextSpoken' | 'after'>): Reading {
  return { ...reading, blank: none, spoken: none, nextBlank: none, nextSpoken: none, after: null };
}

/** @param tokens what each output means; the first is the blank */
export function decodeLine(
  scores: LineScores,
  tokens: readonly string[],
  { wordBonus, from = 'text', others: asked, language }: DecodeOptions = {},
): DecodedLine {
  const isMaths = from === 'maths';
  const { frames, values } = isMaths ? withoutEnclosure(scores, tokens) : scores;
  const size = tokens.length;
  const start = isMaths ? { ...lineStart, isMaths } : lineStart;
  const isWhole = ({ isMaths: isOpen, groups }: LinePlace) => isOpen === isMaths && groups.length === 0;
  const root = begin({ before: null, token: 0, place: start, bonus: 0, fluency: 0, word: '' });
  root.blank = 0;
  let beam = [root];
  for (let frame = 0; frame < frames; frame++) {
    const now = values.subarray(frame * size, (frame + 1) * size);
    const likely = likelyTokens(now);
    const reached = [...beam];
    for (const reading of beam) {
      reading.nextBlank = add(reading.blank, reading.spoken) + now[0]!;
      if (reading.before) reading.nextSpoken = reading.spoken + now[reading.token]!;
    }
    for (const reading of beam) {
      const all = add(reading.blank, reading.spoken);
      reading.after ??= new Map();
      for (const token of likely) {
        // the same token again counts twice only after a blank
        const earlier = token === reading.token && reading.before ? reading.blank : all;
        if (earlier === none) continue;
        let said = reading.after.get(token);
        if (said === undefined) {
          said = speak(reading, token, tokens, wordBonus, language);
          reading.after.set(token, said);
        }
        if (!said) continue;
        if (said.nextBlank === none && said.nextSpoken === none) reached.push(said);
        said.nextSpoken = add(said.nextSpoken, earlier + now[token]!);
      }
    }
    beam = keepBest(reached);
  }
  const ends = beam
    .map((reading) => ({
      reading,
      score: total(reading) + endBonus(reading, wordBonus) + (isWhole(reading.place) ? 0 : openPenalty),
    }))
    .sort((a, b) => b.score - a.score);
  const best = ends[0]!;
  const sum = ends.reduce((all, { score }) => add(all, score), none);
  const shareOf = (score: number) => Math.exp(score - sum);
  const read = placeTokens(spell(best.reading), { frames, values }, tokens);
  const closed = closing(best.reading.place).map((token) => ({
    token,
    probability: 0,
    from: frames,
    to: frames,
  }));
  const told = tellApart(
    ends.map(({ reading, score }) => {
      const said = [...spell(reading).map((token) => tokens[token]!), ...closing(reading.place)];
      const whole = isMaths && said.length > 0 ? ['\\(', ...said] : said;
      return { tokens: whole, share: shareOf(score), score };
    }),
  );
  const others = asked === 'all' ? told : told.slice(0, fewOthers);
  const outcome = { share: shareOf(best.score), score: best.score, fluency: best.reading.fluency, others };
  if (!isMaths) return { tokens: [...read, ...closed], ...outcome };
  // delimiters that the caller asked for are certain
  const enclosure = (token: string, at: number) => ({ token, probability: 1, from: at, to: at });
  const whole = [enclosure('\\(', 0), ...read, ...closed.slice(0, -1), enclosure('\\)', frames)];
  return { tokens: read.length === 0 ? [] : whole, ...outcome };
}

/** The readings after the first; of those that differ only in spaces, the likeliest. */
export function tellApart(readings: readonly OtherReading[]): OtherReading[] {
  const known = new Set<string>();
  const [, ...others] = readings.filter(({ tokens }) => {
    const spelt = tokens.filter((token) => token !== ' ').join('\n');
    return !known.has(spelt) && known.add(spelt);
  });
  return others.filter(({ tokens }) => tokens.length > 0);
}

/** The scores without the tokens that begin and end formulas; their probability goes to the blank. */
export function withoutEnclosure({ frames, values }: LineScores, tokens: readonly string[]): LineScores {
  const enclosing = ['\\(', '\\)'].map((token) => tokens.indexOf(token)).filter((at) => at > 0);
  const changed = Float32Array.from(values);
  for (let row = 0; row < frames * tokens.length; row += tokens.length)
    for (const at of enclosing) {
      changed[row] = add(changed[row]!, changed[row + at]!);
      changed[row + at] = none;
    }
  return { frames, values: changed };
}

function likelyTokens(scores: Float32Array): number[] {
  const chosen: number[] = [];
  for (let token = 1; token < scores.length; token++) if (scores[token]! > leastScore) chosen.push(token);
  return chosen.sort((a, b) => scores[b]! - scores[a]!).slice(0, mostTokens);
}

const letter = /^\p{L}$/u;

function speak(
  reading: Reading,
  token: number,
  tokens: readonly string[],
  wordBonus: DecodeOptions['wordBonus'],
  language: DecodeOptions['language'],
): Reading | null {
  const name = tokens[token]!;
  const place = follow(reading.place, name);
  if (!place) return null;
  const isLetter = !place.isMaths && letter.test(name);
  const bonus = isLetter ? reading.bonus : reading.bonus + endBonus(reading, wordBonus);
  const word = isLetter ? reading.word + name : '';
  const fluency = reading.fluency + (language ? fluencyOf(reading, token, tokens, language) : 0);
  return begin({ before: reading, token, place, bonus, fluency, word });
}

/** What the language model adds for one more token; nothing outside formulas. */
function fluencyOf(
  reading: Reading,
  token: number,
  tokens: readonly string[],
  language: FormulaLanguage,
): number {
  if (!reading.place.isMaths) return 0;
  const within = (at: Reading | null) => (at?.before && tokens[at.token] !== '\\(' ? at.token : edge);
  const before = within(reading);
  const earlier = before === edge ? edge : within(reading.before);
  const next = tokens[token] === '\\)' ? edge : token;
  return languageWeight * (language.logProbability(earlier, before, next) + languageOffset);
}

function endBonus({ word }: Reading, wordBonus: DecodeOptions['wordBonus']): number {
  return wordBonus && word.length > 1 ? wordBonus(word) : 0;
}

/** Ends a frame. @returns its best readings, likeliest first */
function keepBest(reached: readonly Reading[]): Reading[] {
  const kept: Reading[] = [];
  const scores: number[] = [];
  for (const reading of reached) {
    reading.blank = reading.nextBlank;
    reading.spoken = reading.nextSpoken;
    reading.nextBlank = none;
    reading.nextSpoken = none;
    const score = total(reading);
    if (kept.length === beamWidth && score <= scores.at(-1)!) continue;
    let at = kept.length;
    while (at > 0 && scores[at - 1]! < score) at--;
    kept.splice(at, 0, reading);
    scores.splice(at, 0, score);
    if (kept.length > beamWidth) {
      kept.pop();
      scores.pop();
    }
  }
  return kept;
}

function spell(reading: Reading): number[] {
  const tokens: number[] = [];
  for (let at: Reading | null = reading; at?.before; at = at.before) tokens.push(at.token);
  return tokens.reverse();
}

/** The frames of each token: the best path through the frames that yields exactly these tokens (Viterbi). */
export function placeTokens(
  said: readonly number[],
  { frames, values }: LineScores,
  tokens: readonly string[],
): ReadToken[] {
  const size = tokens.length;
  if (said.length === 0) return [];
  // states: blank, first, blank, second, …, blank
  const states = 2 * said.length + 1;
  const tokenOf = (state: number) => (state % 2 === 0 ? 0 : said[(state - 1) / 2]!);
  let scores = new Float64Array(states).fill(none);
  const came = new Int8Array(frames * states);
  scores[0] = values[0]!;
  scores[1] = values[tokenOf(1)]!;
  for (let frame = 1; frame < frames; frame++) {
    const now = new Float64Array(states).fill(none);
    for (let state = 0; state < states; state++) {
      let step = 0;
      let best = scores[state]!;
      if (state > 0 && scores[state - 1]! > best) {
        best = scores[state - 1]!;
        step = 1;
      }
      const skips = state > 2 && state % 2 === 1 && tokenOf(state) !== tokenOf(state - 2);
      if ((skips || state === 1) && state >= 2 && scores[state - 2]! > best) {
        best = scores[state - 2]!;
        step = 2;
      }
      now[state] = best + values[frame * size + tokenOf(state)]!;
      came[frame * states + state] = step;
    }
    scores = now;
  }
  const read: ReadToken[] = said.map((token) => ({
    token: tokens[token]!,
    probability: 0,
    from: frames,
    to: 0,
  }));
  let state = scores[states - 1]! > scores[states - 2]! ? states - 1 : states - 2;
  for (let frame = frames - 1; frame >= 0; frame--) {
    if (state % 2 === 1) {
      const one = read[(state - 1) / 2]!;
      one.from = Math.min(one.from, frame);
      one.to = Math.max(one.to, frame + 1);
      one.probability = Math.max(one.probability, Math.exp(values[frame * size + tokenOf(state)]!));
    }
    state -= came[frame * states + state]!;
  }
  return read;
}
