/** A printed page as Tesseract reports it, in pixels of the picture it was given. */
import type { Box } from '../box.ts';

export interface Word extends Box {
  text: string;
  /** 0 … 100, Tesseract's own. */
  confidence: number;
  /** LaTeX of a word that is not plain text: formulas, with adjacent punctuation. */
  latex?: string;
  /** The lines of a footnote whose mark follows. */
  note?: Line[];
}

export interface Line extends Box {
  words: Word[];
  /** Height from descender to ascender: Tesseract's estimate of the font size. */
  size: number;
  /** Stroke width in pixels; larger in bold type. */
  stroke?: number;
  /** Shared by the lines of a paragraph. */
  paragraph: number;
  /** Shared by the lines of a block of text. */
  area: number;
  /** A displayed formula; the line then has no words. */
  display?: { latex: string; confidence: number };
}

export interface PrintedPage {
  width: number;
  height: number;
  /** In reading order. */
  lines: Line[];
  /** Straight rules, horizontal and vertical. */
  rules: Box[];
}

/** Mean confidence of words, 0 … 1, weighted by length; 0 without words. */
export function confidenceOf(words: readonly Word[]): number {
  let [sum, total] = [0, 0];
  for (const word of words) {
    sum += word.confidence * word.text.length;
    total += word.text.length;
  }
  return total ? sum / total / 100 : 0;
}
