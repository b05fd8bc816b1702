/** Seeded damage to LaTeX bodies, token by token: readers' mistakes, and worse. */
import type { NumberedPage } from '#latex/assemble/page-body.ts';
import { scanLatex } from '#latex/source/scan.ts';

const insertions = [
  '$',
  '$$',
  '{',
  '}',
  '\\[',
  '\\]',
  '\\(',
  '&',
  '#',
  '%',
  '^',
  '_',
  '~',
  '\\\\',
  '\\left(',
  '\\right)',
  '\\item ',
  '\\begin{align}',
  '\\end{align}',
  '\\begin{itemize}',
  '\\end{itemize}',
  '\\begin{tabular}{ll}',
  '\\end{tabular}',
  '\\frac',
  '\\sqrt',
  '\\undefinedthing',
  '\\section{',
  '\\textbf{',
  '\\hline',
  '\\begin{nothing}',
  '\\end{nothing}',
  '\n\n',
  '\\alpha',
  'x^2^3',
  'α',
  '≤',
  '語',
  '\\verb|a',
  '\\label{x}\\label{x}',
  '\\input{secret}',
  '\\caption{c}',
  '\\begin{cases}',
  '\\end{cases}',
  '\\ce{',
  '\\SI{5}',
  '\\end{document}',
  '\\def\\par{}',
  '\\limits',
  '\\tag{1}',
  '[',
  ']',
  '\\begin{',
  '\\end',
  '\\',
  '\\hspace{x}',
  '\\multicolumn{2}{c}{y}',
  '\\middle|',
  '\\noalign{',
  '\\halign',
];

/** Applies `count` random mutations to the pages' bodies. */
export function mutatePages(
  pages: readonly NumberedPage[],
  count: number,
  random: () => number,
): NumberedPage[] {
  const mutated = pages.map((one) => ({ number: one.number, page: { ...one.page } }));
  const pick = (length: number) => Math.floor(random() * length);
  for (let n = 0; n < count; n++) {
    const target = mutated[pick(mutated.length)]!.page;
    const tokens = scanLatex(target.body);
    if (tokens.length === 0) continue;
    const token = tokens[pick(tokens.length)]!;
    const { body } = target;
    const text = body.slice(token.start, token.end);
    const kind = random();
    if (kind < 0.35) target.body = body.slice(0, token.start) + body.slice(token.end);
    else if (kind < 0.5) target.body = body.slice(0, token.end) + text + body.slice(token.end);
    else if (kind < 0.9) {
      target.body =
        body.slice(0, token.start) + insertions[pick(insertions.length)]! + body.slice(token.start);
    } else {
      const other = tokens[pick(tokens.length)]!;
      const [first, second] = token.start < other.start ? [token, other] : [other, token];
      target.body =
        body.slice(0, first.start) +
        body.slice(second.start, second.end) +
        body.slice(first.end, second.start) +
        body.slice(first.start, first.end) +
        body.slice(second.end);
    }
  }
  return mutated;
}
