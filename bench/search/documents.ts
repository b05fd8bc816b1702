/**
 * Synthetic notes with the statistics of real ones: words distributed by Zipf's law over a vocabulary of
 * 60,000, of which each document prefers a few of its subject, and occasionally a word or name that no other
 * has; lengths distributed lognormally around 250 words; sections, lists, emphasis, theorems, tables,
 * references; a formula about every twelve words from those common in notes, with different letters each time.
 */
import { createRandom, type Random } from '../../test-support/random.ts';
import { createZipf } from './zipf.ts';

const vocabularySize = 60_000;
const commonWords =
  'the of and to in is that we a for be this with as by are on it from an have can which if then let where at so or not all one there such any has but its more two only also function given set follows case value point example theorem proof hence every same when space since other each number using first these form between us defined show following must because time over may into equation both than now than note they some will no us you what how'.split(
    ' ',
  );
const syllables =
  'an ter con de in re si ti on al ma ni pro tra ver lo gi ca per sta ment ex form ble der va un cu ra le mi no pla fi so li ne ta po sub co di ga he ju ki mo nu ox qui ru sy ul vi we xe yo zo'.split(
    ' ',
  );

/** Words by rank; longer ones are rarer. */
export const vocabulary: readonly string[] = makeVocabulary();

function makeVocabulary(): string[] {
  const random = createRandom(77);
  const words = new Set(commonWords);
  while (words.size < vocabularySize) {
    const parts = 2 + Math.floor(random.next() * (words.size < 3_000 ? 2 : 3));
    words.add(Array.from({ length: parts }, () => random.pick(syllables)).join(''));
  }
  return [...words];
}

const zipf = createZipf(vocabularySize);

/** A word that no document contains by chance. */
export function rareWord(random: Random): string {
  return Array.from(
    { length: 4 + random.below(2) },
    () => random.pick(syllables) + random.pick([...'bdfgklmnprstvz']),
  ).join('');
}

const letters = [...'abcfghknmpqrstuvwxyz'];
const greek = ['\\alpha', '\\beta', '\\lambda', '\\mu', '\\theta', '\\sigma', '\\phi', '\\omega', '\\xi'];

/** Formulas of notes: `#1` to `#4` are variables, `#n` a number. */
const templates = [
  '#1',
  '#1=#2',
  '#1_{#2}',
  '#1^2',
  '#1\\in\\mathbb{R}',
  '#1(#2)',
  '#1+#2=#3',
  '#1\\le #2',
  "#1'(#2)",
  '\\frac{#1}{#2}',
  '#1_{#2+1}=#1_{#2}+#n',
  '#1=\\sqrt{#2^2+#3^2}',
  '\\sum_{#1=1}^{#2} #3_{#1}',
  '\\int_0^{#1} #2(#3)\\,d#3',
  '\\lim_{#1\\to\\infty} #2_{#1}=#3',
  '#1:#2\\to #3',
  '\\frac{d#1}{d#2}=#3 #1',
  '\\frac{\\partial #1}{\\partial #2}',
  '#1=#n',
  '|#1-#2|<\\varepsilon',
  '\\forall #1\\,\\exists #2',
  '#1\\cdot #2=#n',
  'O(#1\\log #1)',
  'O(#1^#n)',
  '\\begin{pmatrix} #1 & #2 \\\\ #3 & #4 \\end{pmatrix}',
  '\\det(#1-#2 I)=0',
  '\\nabla\\cdot \\mathbf{#1}=\\rho',
  '#1=#2 e^{-#3 #4}',
  '\\int_{-\\infty}^{\\infty} e^{-#1^2}\\,d#1=\\sqrt{\\pi}',
  '#1=\\frac{-#2\\pm\\sqrt{#2^2-4#3 #4}}{2#3}',
  'P(#1\\mid #2)=\\frac{P(#2\\mid #1)P(#1)}{P(#2)}',
  '\\mathbb{E}[#1]=\\sum_{#2} #2\\,P(#1=#2)',
  '\\|#1+#2\\|\\le\\|#1\\|+\\|#2\\|',
  '#1_{#2}=\\binom{#3}{#2}',
  '\\sin^2 #1+\\cos^2 #1=1',
  '#1\\subseteq #2\\cup #3',
  '\\langle #1,#2\\rangle=0',
  '\\ddot{#1}+\\omega^2 #1=0',
  '#1=\\hbar\\omega\\left(#2+\\frac12\\right)',
  '\\prod_{#1=1}^{#2}(1+#3_{#1})',
];
const chooseTemplate = createZipf(templates.length);

function writeFormula(random: Random): string {
  const pool = random.next() < 0.25 ? [...letters, ...greek] : letters;
  const names = new Set<string>();
  while (names.size < 4) names.add(random.pick(pool));
  const [...variables] = names;
  return templates[chooseTemplate(random)]!.replace(/#([1-4n])/g, (_, which: string) =>
    which === 'n'
      ? String(1 + random.below(40))
      : `${variables[Number(which) - 1]}${variables[Number(which) - 1]!.length > 1 ? ' ' : ''}`,
  );
}

export interface SyntheticDocument {
  title: string;
  latex: string;
}

/** The document with a number, the same at each run; `planted` is inserted somewhere. */
export function writeDocument(number: number, planted: readonly string[] = []): SyntheticDocument {
  const random = createRandom(number * 2_654_435_761 + 12_345);
  const subject = Array.from({ length: 12 }, () => vocabulary[200 + random.below(vocabularySize - 200)]!);
  const word = () => (random.next() < 0.12 ? random.pick(subject) : vocabulary[zipf(random)]!);
  const length = Math.round(Math.min(4_000, 250 * Math.exp(0.7 * random.normal())));
  const parts: string[] = ['\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n'];
  let written = 0;
  const sentence = () => {
    const count = 6 + random.below(14);
    const words = Array.from({ length: count }, (_, index) => {
      const one = index === 0 ? capital(word()) : word();
      const chance = random.next();
      if (chance < 0.03) return `\\emph{${one}}`;
      if (chance < 0.045) return `\\textbf{${one}}`;
      return chance < 0.125 ? `${one} $${writeFormula(random)}$` : one;
    });
    written += count;
    return `${words.join(' ')}. `;
  };
  while (written < length) {
    const chance = random.next();
    if (chance < 0.12) parts.push(`\n\\section{${capital(word())} ${word()}}\n`);
    else if (chance < 0.22)
      parts.push(
        `\n\\begin{align*}\n  ${writeFormula(random)} &= ${writeFormula(random)}\\\\\n\\end{align*}\n`,
      );
    else if (chance < 0.32)
      parts.push(
        `\n\\begin{itemize}\n${Array.from({ length: 3 }, () => `  \\item ${sentence()}`).join('\n')}\n\\end{itemize}\n`,
      );
    else if (chance < 0.38)
      parts.push(`\n\\begin{theorem}\\label{t${random.below(99)}}\n${sentence()}\n\\end{theorem}\n`);
    else parts.push(`${sentence()}${sentence()}${sentence()}\n\n`);
    if (random.next() < 0.02) parts.push(`${rareWord(random)} `);
  }
  for (const one of planted) parts.splice(1 + random.below(parts.length - 1), 0, `\n\n${one}\n\n`);
  parts.push('\\end{document}\n');
  return {
    title: capital([word(), random.pick(subject), word()].slice(0, 2 + random.below(2)).join(' ')),
    latex: parts.join(''),
  };
}

const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1);
