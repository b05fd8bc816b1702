/**
 * Intervals by resampling whole documents, with a fixed seed: documents are independent of each other, formulas
 * are not.
 */
import { createRandom } from '../../test-support/random.ts';

const resamples = 2000;

/** The 95 % interval of `figure` over `units`. */
export function interval<Unit>(
  units: readonly Unit[],
  figure: (drawn: readonly Unit[]) => number,
): [number, number] {
  const random = createRandom(20_210_314);
  const figures: number[] = [];
  for (let k = 0; k < resamples && units.length > 0; k++) {
    const drawn = units.map(() => random.pick(units));
    const value = figure(drawn);
    if (Number.isFinite(value)) figures.push(value);
  }
  figures.sort((a, b) => a - b);
  const at = (share: number) =>
    figures[Math.min(figures.length - 1, Math.floor(share * figures.length))] ?? Number.NaN;
  return [at(0.025), at(0.975)];
}
