/**
 * What checking the doubtful spots of a page costs: in the card, and by editing the LaTeX by hand. Key presses are those
 * of the product (e2e/document/doubtful-spots.spec.ts counts them); seconds follow the keystroke-level model (S. K. Card,
 * T. P. Moran, A. Newell, “The Keystroke-Level Model for User Performance Time with Interactive Systems”, Communications
 * of the ACM 23(7), 1980), with its times. CHECKING_MIX gives how many of the spots are right, offered and neither,
 * as `bench -- page` counts them; CHECKING_SIGNS how many signs a correction has.
 */
import process from 'node:process';
import type { Measurement } from './measurement.ts';

/** A key, a pointing, a mouse button, a hand moved to the mouse or back, a thought: seconds. */
const model = { K: 0.28, P: 1.1, B: 0.1, H: 0.4, M: 1.35 };
type Operator = keyof typeof model;

/** The mix of the photographs in decision 110, of twenty. */
const [right = 5, offered = 2, neither = 13] = (process.env.CHECKING_MIX ?? '')
  .split('/')
  .filter(Boolean)
  .map(Number);
const signs = Number(process.env.CHECKING_SIGNS ?? 5);

interface Way {
  keys: number;
  clicks: number;
  seconds: number;
}

/** @param steps operators in the order they are made; K and B are counted as presses and clicks */
function walk(steps: readonly (Operator | [Operator, number])[]): Way {
  const all = steps.map((step) => (Array.isArray(step) ? step : ([step, 1] as [Operator, number])));
  const count = (wanted: Operator) =>
    all.reduce((sum, [one, times]) => sum + (one === wanted ? times : 0), 0);
  return {
    keys: count('K'),
    // a click is a press and a release
    clicks: count('B') / 2,
    seconds: all.reduce((sum, [one, times]) => sum + model[one] * times, 0),
  };
}

/** The ink is next to the reading: one comparison, one key; the next spot is shown automatically. */
const card = {
  right: walk(['M', 'K']),
  // the others are compared too
  offered: walk(['M', 'M', 'K']),
  neither: walk(['M', 'M', ['K', signs], 'K']),
};

/** The ink is found on its page, then compared; a double click selects the word, the hand goes to the keys and back. */
const select: readonly (Operator | [Operator, number])[] = ['M', 'P', ['B', 4], 'H'];
const hand = {
  right: walk(['M', 'M']),
  offered: walk(['M', 'M', ...select, ['K', signs], 'H']),
  neither: walk(['M', 'M', ...select, ['K', signs], 'H']),
};

export function measure(): Promise<Measurement> {
  const spots = right + offered + neither;
  const sum = (way: typeof card) => {
    const of = (what: keyof Way) =>
      right * way.right[what] + offered * way.offered[what] + neither * way.neither[what];
    return { keys: of('keys'), clicks: of('clicks'), seconds: of('seconds') };
  };
  const [ours, theirs] = [sum(card), sum(hand)];
  const say = ({ keys, clicks, seconds }: Way) =>
    `${keys} key presses, ${clicks} clicks, ${seconds.toFixed(0)} s`;
  return Promise.resolve({
    ratio: ours.seconds / theirs.seconds,
    baseline: 'editing the LaTeX by hand',
    details: {
      spots: `${spots}: ${right} right, ${offered} among the other readings, ${neither} to type with ${signs} signs each`,
      'in the card': say(ours),
      'by hand': say(theirs),
    },
  });
}
