/** Places signs on a formula's line and in its scripts, by their size and their height, and chooses what each of them is. */
import { type Box, median } from '../../box.ts';
import type { ReadToken } from '../line/decode-line.ts';
import { edge, type FormulaLanguage } from '../line/formula-language.ts';
import type { Guess } from './guess-tokens.ts';

export interface NamedSign {
  box: Box;
  /** Likeliest first. */
  guesses: readonly Guess[];
  /** The scripts in which the line model has seen it (`SeenSign.path`). */
  path?: string;
  /** The letters of a function, which always stand on the line. */
  isName?: true;
  /** Of an operator, what stands below and above it. */
  limits?: { low: readonly NamedSign[]; high: readonly NamedSign[] };
  /** A fraction or root, as it was read. */
  said?: readonly ReadToken[];
}

type Place = 'on' | 'high' | 'low';

interface Level {
  base: number;
  em: number;
}

/** No script follows these. */
const bare =
  /^(?:[-–—=+<>([/,~·]|\\(?:\{|approx|cap|cdot|cup|div|equiv|geq|in|langle|leftarrow|leq|Leftrightarrow|longrightarrow|mp|neg|neq|notin|oplus|otimes|parallel|perp|pm|propto|Rightarrow|sim|simeq|subset|subseteq|supset|times|to|vee|wedge))$/;
/** The middle of a line above its baseline, em; that of points and the like. */
const axis = 0.33;
/** Dots are on the line or in its middle; they are drawn where they are meant. */
const dotsWide = 0.13;
const middles: Record<string, number> = { '.': 0.03, '\\ldots': 0.08, ',': -0.05, "'": 0.8 };
/**
 * Where signs stand: their baseline above the line's, or their middle above its middle, em of the line; logarithm of their
 * size; each with its standard deviation. `prior` is the logarithm of the place's probability.
 */
const places = {
  on: { base: 0, baseWide: 0.145, middle: 0, middleWide: 0.27, size: 0, prior: -0.25 },
  high: { base: 0.76, baseWide: 0.22, middle: 0.62, middleWide: 0.145, size: -0.45, prior: -1.3 },
  low: { base: -0.24, baseWide: 0.19, middle: -0.4, middleWide: 0.16, size: -0.56, prior: -1.04 },
};
const sizeWide = 0.28;
/** The same of fractions and roots, whose middle is where their bar is. */
const barredPlaces = {
  on: { middle: 0, middleWide: 0.17 },
  high: { middle: 0.45, middleWide: 0.18 },
  low: { middle: -0.4, middleWide: 0.16 },
};
const withoutSize = -0.4;
/** What it adds that the line model has seen a sign in that place. */
const seenThere = 0.7;
/** Lines rise and fall, and writing grows: how much each sign moves its baseline and its em. */
const baseMoves = 0.55;
const emMoves = 0.25;
/**
 * What follows in a script stands on the script's line, of which its first sign is the measure: weight of that against its
 * place on the formula's line, what it adds, and the share of scripts of the script.
 */
const onScript = 0.55;
const goesOn = 0.3;
const inScriptOfIt = 0.3;
const scriptEm = 0.64;
const leastFit = 1e-9;
/**
 * Weight of what usually follows what, what is added for each token that opens or closes a script, so that scripts are not
 * avoided, and the ways kept from sign to sign.
 */
const languageWeight = 0.4;
const structureOffset = 1;
const beamWidth = 24;

/** A way to take the signs so far. */
interface Way {
  before: Way | null;
  /** The sign that it adds, what that is, and where. */
  sign: NamedSign | null;
  guess: Guess | null;
  where: Place;
  level: Level;
  /** That of the script that it is in. */
  script: Level | null;
  /** What is followed by scripts: the last sign on the line. */
  base: Guess | null;
  /** Indices of the last two tokens. */
  earlier: number;
  last: number;
  score: number;
}

/** A way to read a formula's signs: its tokens, whose `from` and `to` are px instead of frames and whose probabilities those of shapes. */
export interface PlacedSigns {
  tokens: ReadToken[];
  score: number;
}

/** @returns the likeliest ways to place signs, the likeliest first */
export function placeSigns(
  signs: readonly NamedSign[],
  tokens: readonly string[],
  language: FormulaLanguage,
  most = 1,
): PlacedSigns[] {
  const sorted = signs.toSorted((a, b) => a.box.left - b.box.left);
  if (sorted.length === 0) return [];
  const indexOf = (token: string) => tokens.indexOf(token);
  const [open, close] = [{ on: -1, high: indexOf('^{'), low: indexOf('_{') }, indexOf('}')];
  const start = { sign: null, guess: null, base: null, script: null, earlier: edge, last: edge, score: 0 };
  let beam: Way[] = [{ ...start, before: null, where: 'on', level: levelOf(sorted) }];
  for (const sign of sorted) {
    const next: Way[] = [];
    for (const way of beam)
      for (const guess of sign.guesses) {
        const index = indexOf(guess.token);
        if (index < 0) continue;
        for (const where of placesFor(sign, way)) {
          const said = [
            ...(way.where !== where && way.where !== 'on' ? [close] : []),
            ...(way.where !== where && where !== 'on' ? [open[where]] : []),
            index,
            ...(sign.said ? [close] : []),
          ];
          let [earlier, last, follows] = [way.earlier, way.last, 0];
          for (const one of said) {
            follows += language.logProbability(earlier, last, one);
            [earlier, last] = [last, one];
          }
          next.push({
            before: way,
            sign,
            guess,
            where,
            level: where === 'on' ? moved(way.level, guess) : way.level,
            base: where === 'on' ? guess : way.base,
            script: scriptAfter(way, guess, where),
            earlier,
            last,
            score:
              way.score +
              guess.log +
              fits(guess, way, where) +
              (seenIn(sign) === where ? seenThere : 0) +
              languageWeight * (follows + structureOffset * (said.length - (sign.said ? 2 : 1))),
          });
        }
      }
    beam = next.sort((a, b) => b.score - a.score).slice(0, beamWidth);
  }
  return beam.slice(0, most).map((way) => ({ tokens: tokensOf(way, tokens, language), score: way.score }));
}

function tokensOf(last: Way, tokens: readonly string[], language: FormulaLanguage): ReadToken[] {
  const ways: Way[] = [];
  for (let way: Way | null = last; way?.sign; way = way.before) ways.push(way);
  const line: { sign: NamedSign; guess: Guess; high: NamedSign[]; low: NamedSign[] }[] = [];
  for (const { sign, guess, where } of ways.reverse())
    if (where === 'on') line.push({ sign: sign!, guess: guess!, high: [], low: [] });
    else {
      const { path = '', ...rest } = sign!;
      const one = { ...rest, guesses: [guess!] };
      line.at(-1)![where].push(seenIn(sign!) === where ? { ...one, path: path.slice(1) } : one);
    }
  return line.flatMap(({ sign: { box, said, limits }, guess, high, low }): ReadToken[] => {
    const at = { from: box.left, to: box.right };
    const say = (token: string, probability = 1): ReadToken => ({ token, probability, ...at });
    const script = (opener: string, inside: readonly NamedSign[]) => {
      const own = placeSigns(inside, tokens, language)[0]?.tokens ?? [];
      return own.length === 0 ? [] : [say(opener), ...own, say('}')];
    };
    const own = said?.map((one) => ({ ...one, ...at })) ?? [say(guess.token, Math.exp(guess.shape))];
    return [
      ...own,
      ...script('_{', [...(limits?.low ?? []), ...low]),
      ...script('^{', [...(limits?.high ?? []), ...high]),
    ];
  });
}

function placesFor({ isName }: NamedSign, { base }: Way): readonly Place[] {
  return isName || !base || bare.test(base.token) ? ['on'] : ['on', 'high', 'low'];
}

/** The logarithm of how well a guess fits a place; in a script that has begun, also of how well it goes on with it. */
function fits(guess: Guess, { where: before, level, script }: Way, where: Place): number {
  const begun = suits(guess, level, where);
  if (where === 'on' || before !== where || !script) return begun;
  const [on, high, low] = (['on', 'high', 'low'] as const).map((place) =>
    Math.exp(suits(guess, script, place)),
  );
  const going = Math.log(on! * Math.exp(goesOn) + inScriptOfIt * (high! + low!) + leastFit);
  return begun + onScript * (going - begun);
}

/** The level of the script that a sign is in: its own if it is the first. */
function scriptAfter({ where: before, level, script }: Way, guess: Guess, where: Place): Level | null {
  if (where === 'on') return null;
  if (before === where && script) return moved(script, guess);
  const { base, em } = guess;
  return em === null ? { base: base + axis * scriptEm * level.em, em: scriptEm * level.em } : { base, em };
}

function moved(level: Level, { base, em }: Guess): Level {
  if (em === null) return level;
  return {
    base: level.base + baseMoves * (base - level.base),
    em: level.em * (em / level.em) ** emMoves,
  };
}

function seenIn({ path }: NamedSign): Place | null {
  if (path === undefined) return null;
  return path === '' ? 'on' : path.startsWith('^') ? 'high' : 'low';
}

const isBarred = (token: string) => token === '\\frac{' || token === '\\sqrt{';

/** The logarithm of how well a guess fits a place of the line. */
function suits({ token, base, em }: Guess, level: Level, where: Place): number {
  const wanted = places[where];
  const above = (level.base - base) / level.em;
  if (em === null) {
    const { middle, middleWide: usual } = isBarred(token) ? barredPlaces[where] : wanted;
    const middleWide = where === 'on' && /dots$/.test(token) ? dotsWide : usual;
    const off = above - (middles[token] ?? axis) - middle;
    return wanted.prior - (off / middleWide) ** 2 / 2 + withoutSize;
  }
  const off = (above - wanted.base) / wanted.baseWide;
  const size = (Math.log(em / level.em) - wanted.size) / sizeWide;
  return wanted.prior - (off ** 2 + size ** 2) / 2;
}

/** Guesses for the level are at least this likely; scripts count less for it, the first sign and large ones more. */
const leastForLevel = -1.5;
const scriptShare = 0.35;
const firstCounts = 2;
const withoutSizeCounts = 0.5;
const usualHeight = 0.9;

/** The level that the signs agree on. */
function levelOf(signs: readonly NamedSign[]): Level {
  const levels = signs.flatMap(({ guesses }) =>
    guesses.flatMap(({ base, em, log }, rank) =>
      em !== null && (rank === 0 || log > leastForLevel) ? [{ base, em }] : [],
    ),
  );
  if (levels.length === 0) {
    const lengths = signs.map(({ box }) => Math.max(box.bottom - box.top, 0.6 * (box.right - box.left)));
    const em = Math.max(1, median(lengths) / usualHeight);
    return { base: median(signs.map(({ box }) => (box.top + box.bottom) / 2)) + axis * em, em };
  }
  const largest = Math.max(...levels.map(({ em }) => em));
  const agreement = (level: Level) =>
    signs.reduce((sum, { guesses }, at) => {
      const likely = guesses.map((guess) => {
        const inScripts = at === 0 ? [] : (['high', 'low'] as const);
        const inAll = inScripts.reduce((all, where) => all + Math.exp(suits(guess, level, where)), 0);
        const weight = guess.em === null ? withoutSizeCounts : Math.min(1, guess.em / largest);
        return weight * Math.exp(guess.log) * (Math.exp(suits(guess, level, 'on')) + scriptShare * inAll);
      });
      return sum + (at === 0 ? firstCounts : 1) * Math.max(0, ...likely);
    }, 0);
  return levels
    .map((level) => ({ level, score: agreement(level) }))
    .reduce((a, b) => (b.score > a.score ? b : a)).level;
}
