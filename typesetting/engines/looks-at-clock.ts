import type { Asset } from '../typesetter.ts';

const clocks =
  /\\(?:time|currenttime|xxivtime|DTM\w*(?:[Tt]ime|now)|hhmm\w*|(?:pdf)?creationdate|(?:pdf)?(?:elapsed|reset)timer?)(?![A-Za-z])/;

/**
 * True for a document that shows the time of day, or seems to: the clock of a waiting engine is stopped, so the
 * document is compiled by a new one. Dates are safe: no engine is used past the day it started.
 * @param assets those that TeX reads as LaTeX matter
 */
export function looksAtClock(latex: string, assets: readonly Asset[] = []): boolean {
  return (
    clocks.test(latex) ||
    assets.some(
      ({ name, bytes }) =>
        /\.(?:tex|sty|cls)$/i.test(name) && clocks.test(Buffer.from(bytes).toString('latin1')),
    )
  );
}
