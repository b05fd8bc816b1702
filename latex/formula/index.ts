/** Search in LaTeX: its words and its formulas. Pure text, for browser and server. */
export { findFormula, prepareFormula } from './find-formula.ts';
export { fingerprintFormula, fingerprintQuery } from './fingerprint-formula.ts';
export { foldWord, isUnspaced, listWords, type Word } from './list-words.ts';
export { normaliseFormula, normaliseQuery } from './normalise-formula.ts';
export { formulaEnd, formulaStart, readLatex } from './read-latex.ts';
