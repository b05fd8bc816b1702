/** The samples with their sources: what is recovered of each, held to what has been measured. */
import { afterAll, describe, expect, test } from 'vitest';
import { readLatex } from '#latex/formula/read-latex.ts';
import { chooseFrom } from '../../test-support/matrix.ts';
import { openTypesetter } from '../../test-support/open-typesetter.ts';
import { createTextLayerReader } from './reader.ts';
import { sourcedPdfs } from './testing/fixtures.ts';
import { type DocumentScore, scoreDocument } from './testing/score-document.ts';

const { typesetter } = await openTypesetter();
const reader = createTextLayerReader();
afterAll(() => reader.close());

/** Least text similarity, by fixture. Every displayed formula of all of them is recovered. */
const minText: Record<string, number> = {
  'algorithms-and-kinetics': 0.999,
  'biologie-zusammenfassung': 0.999,
  'calculus-limits-integrals': 0.999,
  'grammaire-subjonctif': 0.999,
  'linear-algebra-matrices': 0.999,
  'physics-mechanics-tikz': 0.999,
  'probability-table': 0.999,
  'problem-sheet-number-theory': 0.999,
};

/** Structure that the recovered source has to show, by fixture. */
const structure: Record<string, RegExp[]> = {
  'algorithms-and-kinetics': [
    /\\tableofcontents/,
    /\\begin\{lstlisting\}\[caption=\{Euler/,
    /\\toprule/,
    /\\textbf\{Algorithm 1\} Binary search/,
    /\\LaTeX\{\}/,
  ],
  'biologie-zusammenfassung': [
    /\\begin\{description\}[\s\S]*\\item\[Zellkern\]/,
    /\\ce\{->\[/,
    /\\section\{Fragen zum Üben\}/,
    /\\begin\{tabular\}\{lrr\}/,
  ],
  'calculus-limits-integrals': [
    /\\begin\{cases\}/,
    /\\underbrace\{/,
    /\\iint_/,
    /\\tag\{1\}/,
    /\\begin\{enumerate\}\[label=\(\\alph\*\)\]/,
  ],
  'grammaire-subjonctif': [
    /\\begin\{tabular\}\{\|l\|l\|l\|l\|\}/,
    /\\underline\{viendras\}/,
    /\\emph\{souhaitée\}/,
  ],
  'linear-algebra-matrices': [
    /\\begin\{array\}\{ccc\|c\}/,
    /\\xrightarrow\[R_\{3\}\+R_\{1\}\]\{R_\{2\}-2R_\{1\}\}/,
    /\\begin\{vmatrix\}/,
  ],
  'physics-mechanics-tikz': [
    /\\begin\{figure\}[\s\S]*\\includegraphics[\s\S]*\\caption\{Forces/,
    /\\multicolumn\{3\}/,
    /\\nabla\\times\\vec\{B\}/,
  ],
  'probability-table': [
    /^(?![\s\S]*\\cmidrule)/,
    /\\caption\{Five distributions\}/,
    /\\binom\{n\}\{k\}/,
    /\\midrule/,
  ],
  'problem-sheet-number-theory': [
    /\\begin\{theorem\}\[Euler\]/,
    /\\begin\{proof\}/,
    /\\pmod\{n\}/,
    /\\begin\{lemma\}\[Bézout\]/,
    /label=\(\\roman\*\)/,
  ],
};

/** Fixtures whose every formula is recovered, also in lines and in cells of tables; chemistry is read as formulas. */
const wholeFormulas = new Set([
  'grammaire-subjonctif',
  'linear-algebra-matrices',
  'probability-table',
  'problem-sheet-number-theory',
]);

/** Every formula with a letter or a sign, normalised; numbers alone look like text on the page. */
function listFormulas(latex: string): string[] {
  return readLatex(latex)
    .formulas.map((tokens) => tokens.join(' ').replace(/\\pmod (?!\{)(\S+)/g, '\\pmod { $1 }'))
    .filter((formula) => /[A-Za-z\\=<>]/.test(formula));
}

describe('samples', () => {
  for (const { name, pdf, source } of chooseFrom(import.meta.filename, sourcedPdfs())) {
    test(`${name}: compiles, keeps its words, its structure and every displayed formula`, {
      timeout: 180_000,
    }, async () => {
      const score: DocumentScore = await scoreDocument(name, pdf, source, reader, typesetter);
      expect(score.unproved).toBe('');
      expect(score.misses).toEqual([]);
      expect(score.exact).toBe(score.displays);
      expect(score.verbatim).toBeLessThanOrEqual(0.005);
      expect(score.text).toBeGreaterThanOrEqual(minText[name] ?? 0.99);
      if (wholeFormulas.has(name)) expect(listFormulas(score.latex)).toEqual(listFormulas(source));
      for (const pattern of structure[name] ?? []) expect(score.latex).toMatch(pattern);
    });
  }
});
