import { readFileSync } from 'node:fs';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { readDictionary } from '#shared/hunspell.ts';
import { lineIndex } from '../lines/line-index.ts';
import { type SpellingLanguage, spellingLanguages } from './languages.ts';
import { isRight } from './spelling-worker.ts';
import { listWords } from './words.ts';

const load = (language: SpellingLanguage) => {
  const read = (part: string) =>
    readFileSync(`node_modules/${spellingLanguages[language].packageName}/index.${part}`, 'utf8');
  return readDictionary(read('aff'), read('dic'));
};

/** Everyday words of notes, inflected, and misspellings of them. */
const cases: Record<SpellingLanguage, [right: string, wrong: string]> = {
  'en-us': [
    'The derivatives of continuous functions aren’t necessarily unbounded; we’ve shown Euler’s well-known colors',
    'teh derivativ recieve continous colour funcions',
  ],
  'en-gb': ['colour organise centred theorems', 'color wierd theorms'],
  fr: [
    'Les fonctions dérivables étaient continues ; l’intégrale s’écrit aujourd’hui qu’il démontrerait nous calculons',
    'fonctoin dérivabe contineu',
  ],
  es: ['Las funciones continuas demuestran derivadas calculábamos teoremas', 'funsiones demustran teorrema'],
  pt: [
    'As funções contínuas demonstram derivadas calculávamos equações simplifiquem integrá-la raízes',
    'funçãos demostran teorrema equasão',
  ],
  ru: ['Функции непрерывны доказательства теоремы производную', 'функцыи теорэма'],
};

describe.each(Object.entries(cases))('the dictionary %s', (language, [right, wrong]) => {
  const dictionary = load(language as SpellingLanguage);
  it('knows words and their forms, and no misspellings', () => {
    const words = right.split(/[\s;]+/).filter(Boolean);
    expect(words.filter((word) => !isRight(word, dictionary))).toEqual([]);
    expect(wrong.split(' ').filter((word) => isRight(word, dictionary))).toEqual([]);
  });
});

describe('suggestions', () => {
  it('give the word that was meant', () => {
    const { suggest } = load('en-us');
    expect(suggest('recieve')[0]).toBe('receive');
    expect(suggest('teh')).toContain('the');
    expect(suggest('continous')).toContain('continuous');
    expect(suggest('euler')[0]).toBe('Euler');
  });
});

describe('the words of a document', () => {
  it('are its text: no commands, formulas, arguments, comments, addresses or numbers', () => {
    const doc = [
      String.raw`\section{First words} $alpha + x$ \label{sec:frist} \emph{don’t} 3rd x2`,
      String.raw`\begin{tabular}{lcr} cell \verb|coed| % comment`,
      String.raw`\includegraphics[width=3cm]{pictre} Gr\"usse mail@example.com NASA`,
    ].join('\n');
    const state = EditorState.create({ doc, extensions: [lineIndex] });
    const words = listWords(state, 0, state.doc.length).map(({ word }) => word);
    expect(words).toEqual(['First', 'words', 'don’t', 'cell', 'NASA']);
  });
});
