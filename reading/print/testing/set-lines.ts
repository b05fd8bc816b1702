/** Lines as Tesseract would report them, set in letters of one width. */
import { around } from '../../box.ts';
import type { Line, PrintedPage, Word } from '../printed-page.ts';

export const letter = 10;
export const leading = 30;

/** @param text words and the spaces between them, which count */
export function setLine(text: string, row: number, column = 0, top = 200): Line {
  const place = { top: top + row * leading, bottom: top + row * leading + 22 };
  const words: Word[] = [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => {
    const left = 100 + (column + index) * letter;
    return { ...place, left, right: left + word.length * letter - 2, text: word, confidence: 95 };
  });
  return { ...around(words), words, size: 22, paragraph: 1, area: 1 };
}

export function pageOf(lines: Line[], rules: PrintedPage['rules'] = []): PrintedPage {
  return { width: 1000, height: 1400, lines, rules };
}

export const textOf = (line: Line): string => line.words.map(({ text }) => text).join(' ');
