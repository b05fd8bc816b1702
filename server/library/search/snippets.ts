/** Excerpts from a document found: its matching places, as parts of text and formulas, with matches marked. */

import {
  findFormula,
  formulaEnd,
  formulaStart,
  isUnspaced,
  listWords,
  prepareFormula,
  type Word,
} from '#latex/formula/index.ts';
import type { Snippet, SnippetPart } from '#shared/api/search.ts';
import type { IndexedFile } from './schema.ts';
import { withoutFormulas } from './terms.ts';

/** An index row, as far as it is displayed and checked. */
export interface FoundText {
  title: string;
  body: string;
  places: readonly number[];
  /** Null for a document without files. */
  files: readonly IndexedFile[] | null;
  formulas: string;
}

/** What to mark. */
export interface Sought {
  words: ReadonlySet<string>;
  phrases: readonly (readonly string[])[];
  /** Normalised tokens. */
  formulas: readonly (readonly string[])[];
}

interface Match {
  start: number;
  end: number;
  kind: 'text' | 'formula';
}

const maxSnippets = 3;
/** Characters around a match. */
const around = 80;
/** A longer formula is shown only if it matches. */
const longestFormula = 200;

export function presentFound(row: FoundText, sought: Sought): { title: SnippetPart[]; snippets: Snippet[] } {
  const formulas = locateFormulas(row);
  const titleWords = listWords(row.title);
  const bodyWords = listWords(withoutFormulas(row.body));
  const phrases = sought.phrases.flatMap((phrase) => findPhrase(bodyWords, phrase));
  const words = phrases.length > 0 ? phrases : matchWords(bodyWords, sought.words);
  const matches = [...words, ...findFormulas(row, formulas, sought.formulas)].sort(
    (a, b) => a.start - b.start,
  );
  return {
    title: markParts(row.title, 0, row.title.length, matchWords(titleWords, sought.words), []),
    snippets: chooseWindows(matches, row.body.length).map((window) => ({
      parts: markParts(row.body, window.start, window.end, matches, formulas),
      ...inFile(placeOf(row.places, window.first), row.files),
    })),
  };
}

function matchWords(words: readonly Word[], sought: ReadonlySet<string>): Match[] {
  return words
    .filter(({ word }) => sought.has(word) || (isUnspaced(word) && [...word].some((one) => sought.has(one))))
    .map(({ start, end }) => ({ start, end, kind: 'text' }));
}

function findPhrase(words: readonly Word[], phrase: readonly string[]): Match[] {
  const found: Match[] = [];
  for (let i = 0; i + phrase.length <= words.length; i++)
    if (phrase.every((word, index) => words[i + index]!.word === word))
      found.push({ start: words[i]!.start, end: words[i + phrase.length - 1]!.end, kind: 'text' });
  return found;
}

/** Each formula of the body, marks included. */
function locateFormulas({ body }: FoundText): Match[] {
  const found: Match[] = [];
  for (let start = body.indexOf(formulaStart); start >= 0; start = body.indexOf(formulaStart, start + 1)) {
    const end = body.indexOf(formulaEnd, start);
    if (end < 0) break;
    found.push({ start, end: end + 1, kind: 'formula' });
  }
  return found;
}

/** Whether each of the formulas searched for is part of one of the document's: fingerprints only suggest it. */
export function holdsFormulas(formulas: string, sought: Sought['formulas']): boolean {
  if (sought.length === 0) return true;
  const prepared = prepareFormulas(formulas);
  return sought.every((query) => prepared.some((formula) => findFormula(query, formula) >= 0));
}

const prepareFormulas = (formulas: string) =>
  formulas.split('\n').map((line) => prepareFormula(line === '' ? [] : line.split(' ')));

/** Formulas that contain one of those searched for. */
function findFormulas(
  { formulas }: FoundText,
  located: readonly Match[],
  sought: Sought['formulas'],
): Match[] {
  if (sought.length === 0) return [];
  const prepared = prepareFormulas(formulas);
  return located.filter((_, index) => {
    const formula = prepared[index];
    return formula && sought.some((query) => findFormula(query, formula) >= 0);
  });
}

/** Up to three passages with matches close together; those with the most matches, in text order. */
function chooseWindows(
  matches: readonly Match[],
  length: number,
): { start: number; end: number; first: number }[] {
  const windows: { start: number; end: number; first: number; count: number }[] = [];
  for (const match of matches) {
    const last = windows.at(-1);
    if (last && match.start < last.first + around * 2) {
      last.end = Math.min(length, Math.max(last.end, match.end + around));
      last.count++;
    } else
      windows.push({
        start: Math.max(last?.end ?? 0, match.start - around),
        end: Math.min(length, match.end + around),
        // a formula's text follows its mark
        first: match.kind === 'formula' ? match.start + 1 : match.start,
        count: 1,
      });
  }
  return windows
    .sort((a, b) => b.count - a.count || a.start - b.start)
    .slice(0, maxSnippets)
    .sort((a, b) => a.start - b.start);
}

/** The passage from `start` to `end` as parts, cut at spaces and never inside a formula. */
function markParts(
  text: string,
  start: number,
  end: number,
  matches: readonly Match[],
  formulas: readonly Match[],
): SnippetPart[] {
  const isInside = (offset: number) => formulas.find((one) => one.start < offset && offset < one.end);
  let from = isInside(start)?.end ?? start;
  let to = isInside(end)?.end ?? end;
  if (from > 0)
    from = Math.max(
      from,
      text.indexOf(' ', from) < 0 ? from : Math.min(text.indexOf(' ', from) + 1, firstIn(matches, from)),
    );
  if (
    to < text.length &&
    text.lastIndexOf(' ', to) > lastIn(matches, to) &&
    !isInside(text.lastIndexOf(' ', to))
  )
    to = text.lastIndexOf(' ', to);
  const parts: SnippetPart[] = [];
  const push = (kind: SnippetPart['kind'], part: string, hit: boolean) => {
    const clean = kind === 'text' ? part.replace(/\s+/g, ' ') : part;
    const last = parts.at(-1);
    if (clean === '') return;
    if (last && last.kind === 'text' && kind === 'text' && last.hit === hit) last.text += clean;
    else parts.push({ kind, text: clean, hit });
  };
  const special = [...matches.filter(({ kind }) => kind === 'text'), ...formulas]
    .filter((one) => one.start >= from && one.end <= to)
    .sort((a, b) => a.start - b.start);
  let at = from;
  for (const one of special) {
    if (one.start < at && one.end <= at) continue;
    const begin = Math.max(at, one.start);
    push('text', text.slice(at, begin), false);
    if (one.kind === 'text') push('text', text.slice(begin, one.end), true);
    else {
      const isMatch = matches.some(({ kind, start: where }) => kind === 'formula' && where === one.start);
      const source = text.slice(one.start + 1, one.end - 1);
      if (isMatch || source.length <= longestFormula) push('formula', source, isMatch);
      else push('text', '…', false);
    }
    at = one.end;
  }
  push('text', text.slice(at, to), false);
  return parts;
}

const firstIn = (matches: readonly Match[], from: number): number =>
  matches.find(({ start }) => start >= from)?.start ?? Number.POSITIVE_INFINITY;
const lastIn = (matches: readonly Match[], to: number): number =>
  matches.findLast(({ end }) => end <= to)?.end ?? -1;

/** Converts a position in all texts of a document to one in a single file. */
function inFile(
  { offset, line }: { offset: number; line: number },
  files: FoundText['files'],
): { offset: number; line: number; file?: string } {
  const file = files?.findLast((one) => one.line <= line);
  if (!file) return { offset, line };
  return { offset: Math.max(0, offset - file.offset), line: line - file.line + 1, file: file.name };
}

function placeOf(places: readonly number[], offset: number): { offset: number; line: number } {
  let low = 0;
  let high = places.length / 3;
  if (high < 1) return { offset: 0, line: 1 };
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (places[middle * 3]! <= offset) low = middle;
    else high = middle;
  }
  return {
    offset: Math.max(0, places[low * 3 + 1]! + Math.max(0, offset - places[low * 3]!)),
    line: places[low * 3 + 2]!,
  };
}
