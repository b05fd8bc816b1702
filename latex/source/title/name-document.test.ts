import { expect, test } from 'vitest';
import { nameDocument } from './name-document.ts';

test.each([
  [
    String.raw`\title{Calculus II --- Week 4\\ \large Limits and series}`,
    'Calculus II — Week 4 Limits and series',
  ],
  [String.raw`\title{\bfseries Notes\thanks{with a grant}}`, 'Notes'],
  [String.raw`\title{\textbf{Fields} \& \emph{rings}}`, 'Fields & rings'],
  [String.raw`\title{}\begin{document}\section{Energy\label{sec:e}} \section{Heat}`, 'Energy'],
  [String.raw`\title{An \item of news}\author{N. N.}`, String.raw`An \item of news`],
])('%s is called %s', (latex, name) => expect(nameDocument(latex)).toBe(name));

test('a text with no heading has no name', () => {
  expect(nameDocument(String.raw`\documentclass{article}\begin{document}Text.\end{document}`)).toBeNull();
});
