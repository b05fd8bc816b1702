/** A heading or a title as a person reads it. */

/** Commands that change how what follows looks, and say nothing. */
const switches =
  /\\(?:tiny|scriptsize|footnotesize|small|normalsize|large|Large|LARGE|huge|Huge|(?:bf|md|it|sl|sc|up|rm|sf|tt)(?:series|shape|family)?|normalfont|em)(?![A-Za-z])\s*/g;

/** A heading's words without mark-up, its formulas as they are typed; one line. */
export function readableTitle(title: string): string {
  return (
    title
      // what stands in a PDF's own outline is meant to be read as it is
      .replace(/\\texorpdfstring\s*\{(?:[^{}]|\{[^{}]*\})*\}\s*\{((?:[^{}]|\{[^{}]*\})*)\}/g, '$1')
      .replace(/\\((?:La|Xe(?:La)?)?TeX)(?![A-Za-z])(?:\{\})?/g, '$1')
      .replace(/\\(?:label|thanks|footnote)\s*\{[^}]*\}/g, '')
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
