/** A printed page as Tesseract reports it, in pixels of the picture it was given. */
import type { Box } from '../box.ts';

export interface Word extends Box {
  text: string;
  /** 0 … 100, Tesseract's own. */
  confidence: number;
  /** What it says where that is no plain text: formulas, with the marks around them. */
  latex?: string;
}

export interface Line extends Box {
  words: Word[];
  /** Height from descender to ascender: the font's size as far as Tesseract can tell. */
  size: number;
  /** How wide its strokes are, in pixels; more in bold type. */
  stroke?: number;
  /** Lines of one paragraph share it. */
  paragraph: number;
  /** Lines of one block of text share it. */
  area: number;
  /** A displayed formula stands here; then there are no words. */
  display?: { latex: string; confidence: number };
}

export interface PrintedPage {
  width: number;
  height: number;
  /** In reading order. */
  lines: Line[];
  /** Straight rules, level and upright. */
  rules: Box[];
}

/** Mean confidence of words, 0 … 1, longer words counting for more; 0 without words. */
export function confidenceOf(words: readonly Word[]): number {
  let [sum, total] = [0, 0];
  for (const word of words) {
    sum += word.confidence * word.text.length;
    total += word.text.length;
  }
  return total ? sum / total / 100 : 0;
}
