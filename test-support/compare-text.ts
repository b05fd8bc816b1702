/** How much of a source's words a reader kept: LaTeX on both sides, compared as plain words. */

const mathEnvironments = 'equation|align|gather|multline|eqnarray|displaymath|math|array|cases|split|aligned';
/** Commands whose arguments are never printed, with the number of arguments. */
const silent =
  /\\(?:label|ref|eqref|pageref|vspace|hspace|setcounter|includegraphics|makebox|geometry|usepackage|addtocounter|rule|cline|cmidrule|setlength|thispagestyle|pagestyle|newcommand)\*?(?:\[[^\]]*\]|\([^)]*\))*(?:\{[^{}]*\}){0,2}/g;

/**
 * The words printed by a piece of LaTeX, without mathematics: letters, digits and single spaces; accents are
 * kept, apostrophes and hyphens become spaces. Whole documents count from `\begin{document}`, preceded by title
 * and author.
 */
export function wordsOf(latex: string): string {
  const titles = [...latex.matchAll(/\\(?:title|author)\{((?:[^{}]|\{[^{}]*\})*)\}/g)]
    .map(([, text]) => text)
    .join(' ');
  const isDocument = latex.includes('\\begin{document}');
  const body = isDocument
    ? `${titles} ${latex.split('\\begin{document}')[1]!.split('\\end{document}')[0]}`
    : latex;
  return body
    .replace(/(?<!\\)%.*$/gm, '')
    .replace(/\\\\(\[[^\]]*\])?/g, ' ') // before mathematics: a line end may look like its beginning
    .replace(new RegExp(`\\\\begin\\{(${mathEnvironments})(\\*?)\\}[\\s\\S]*?\\\\end\\{\\1\\2\\}`, 'g'), ' ')
    .replace(/\\begin\{tikzpicture\}[\s\S]*?\\end\{tikzpicture\}/g, ' ')
    .replace(/\\\[[\s\S]*?\\\]|\\\([\s\S]*?\\\)|\$\$[\s\S]*?\$\$|(?<!\\)\$(?:\\.|[^$\\])*\$/g, ' ')
    .replace(silent, ' ')
    .replace(/\\(?:begin|end)\{tabular[x*]?\}(?:\{(?:[^{}]|\{[^{}]*\})*\})*/g, ' ')
    .replace(/\\(?:begin|end)\{[^}]*\}(?:\[[^\]]*\])?/g, ' ')
    .replace(/\\item\s*\[([^\]]*)\]/g, ' $1 ')
    .replace(/\\ce\{[^}]*\}|\\(?:qty|SI|si|unit|num)(?:\{[^}]*\})+/g, ' ')
    .replace(/\\[a-zA-Z]+\*?/g, ' ')
    .replace(/\\(.)/g, '$1')
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Share (0 … 1) of the words of `truth` that `read` has in the same order; additional words cost nothing. */
export function shareOfWords(truth: string, read: string): number {
  const [a, b] = [truth.split(' '), read.split(' ')];
  let previous = new Array<number>(b.length + 1).fill(0);
  for (const word of a) {
    const current = [0];
    b.forEach((other, index) => {
      current.push(word === other ? previous[index]! + 1 : Math.max(previous[index + 1]!, current[index]!));
    });
    previous = current;
  }
  return previous.at(-1)! / a.length;
}
