/** A heading or title as plain text. */
import { withoutCommands } from '../read-commands.ts';

/** Commands that only change the style of what follows. */
const switches =
  /\\(?:tiny|scriptsize|footnotesize|small|normalsize|large|Large|LARGE|huge|Huge|(?:bf|md|it|sl|sc|up|rm|sf|tt)(?:series|shape|family)?|normalfont|em)(?![A-Za-z])\s*/g;

/** A heading's words without markup, with formulas as typed; one line. */
export function readableTitle(title: string): string {
  return (
    withoutCommands(title, /^(?:label|thanks|footnote)$/)
      // the text for a PDF's outline is already plain
      .replace(/\\texorpdfstring\s*\{(?:[^{}]|\{[^{}]*\})*\}\s*\{((?:[^{}]|\{[^{}]*\})*)\}/g, '$1')
      .replace(/\\((?:La|Xe(?:La)?)?TeX)(?![A-Za-z])(?:\{\})?/g, '$1')
      .replace(/\\\\\*?(?:\[[^\]]*\])?|\\(?:newline|linebreak|protect|centering)(?![A-Za-z])/g, ' ')
      .replace(switches, '')
      .replace(/\\(?:text(?:bf|it|rm|sf|tt|sc)|emph|mathbf|mathrm|mathbb|mathcal)\s*(?=\{)/g, '')
      .replace(/\\([&%#_$])/g, '$1')
      .replace(/(?<!\\)[{}$]|\\[,;:! ]/g, '')
      .replace(/~/g, ' ')
      .replace(/---/g, '—')
      .replace(/--/g, '–')
      .replace(/\s+/g, ' ')
      .trim()
  );
}
