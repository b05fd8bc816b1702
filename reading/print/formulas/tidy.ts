import { withoutMarks } from '../../text-layer/doubt.ts';

/**
 * A scan tells where signs stand to a pixel or so: too little for thin spaces, which are left to TeX. Wider gaps, which
 * people put between formulas, stay.
 */
export function tidyScanned(latex: string): string {
  return withoutMarks(latex)
    .replace(/(?:\\[,;:]|\\ )\|(?:\\[,;:]|\\ ) ?/g, '\\mid ')
    .replace(/\\\\|\\[,;!] ?|\\ (?![A-Za-z])/g, (space) => (space === '\\\\' ? space : ' '))
    .replace(/([{(]) +/g, '$1')
    .replace(/ {2,}/g, ' ');
}
