import { withoutMarks } from '../../text-layer/doubt.ts';

/**
 * Removes thin spaces, which TeX sets itself: a scan is accurate to only a pixel or so. Wider gaps, as authors put
 * between formulas, are kept.
 */
export function tidyScanned(latex: string): string {
  return withoutMarks(latex)
    .replace(/(?:\\[,;:]|\\ )\|(?:\\[,;:]|\\ ) ?/g, '\\mid ')
    .replace(/\\\\|\\[,;!] ?|\\ (?![A-Za-z])/g, (space) => (space === '\\\\' ? space : ' '))
    .replace(/([{(]) +/g, '$1')
    .replace(/ {2,}/g, ' ');
}
