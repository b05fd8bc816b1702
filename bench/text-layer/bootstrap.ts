/**
 * Intervals by resampling whole documents, with a fixed seed: documents are independent of each other, formulas
 * are not.
 */

const resamples = 2000;

/** The 95 % interval of `figure` over `units`. */
export function interval<Unit>(
  units: readonly Unit[],
  figure: (drawn: readonly Unit[]) => number,
): [number, number] {
  let state = 20_210_314;
  const random = () => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const figures: number[] = [];
  for (let k = 0; k < resamples && units.length > 0; k++) {
    const drawn = units.map(() => units[Math.floor(random() * units.length)] as Unit);
    const value = figure(drawn);
    if (Number.isFinite(value)) figures.push(value);
  }
  figures.sort((a, b) => a - b);
  const at = (share: number) =>
    figures[Math.min(figures.length - 1, Math.floor(share * figures.length))] ?? Number.NaN;
  return [at(0.025), at(0.975)];
}
