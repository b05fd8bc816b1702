import { readGroup } from '#latex/source/matches.ts';
import { scanLatex } from '#latex/source/scan.ts';
import { applySplices, type Splice } from '#latex/source/splice.ts';
import { withoutMarks } from '../../text-layer/doubt.ts';

/**
 * Removes thin spaces, which TeX sets itself: a scan is accurate to only a pixel or so. Wider gaps, as authors put
 * between formulas, are kept.
 */
export function tidyScanned(latex: string): string {
  return joinScripts(withoutMarks(latex))
    .replace(/(?:\\[,;:]|\\ )\|(?:\\[,;:]|\\ ) ?/g, '\\mid ')
    .replace(/\\\\|\\[,;!] ?|\\ (?![A-Za-z])/g, (space) => (space === '\\\\' ? space : ' '))
    .replace(/([{(]) +/g, '$1')
    .replace(/ {2,}/g, ' ');
}

/** A script behind one of the same kind continues it: TeX accepts only one. */
function joinScripts(latex: string): string {
  const tokens = scanLatex(latex);
  const splices: Splice[] = [];
  for (const [index, { kind }] of tokens.entries()) {
    const own = kind === 'subscript' || kind === 'superscript' ? readGroup(tokens, index + 1) : null;
    if (!own || tokens[own.close + 1]?.kind !== kind) continue;
    const next = readGroup(tokens, own.close + 2);
    if (next) splices.push({ start: own.end, end: next.start, text: ' ' });
  }
  return applySplices(latex, splices).text;
}
