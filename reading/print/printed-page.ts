/** A printed page as Tesseract reports it, in pixels of the picture it was given. */

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

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

export const widthOf = (box: Box): number => box.right - box.left;
export const heightOf = (box: Box): number => box.bottom - box.top;
export const middleOf = (box: Box): { x: number; y: number } => ({
  x: (box.left + box.right) / 2,
  y: (box.top + box.bottom) / 2,
});

/** The smallest box around all of them. */
export function around(boxes: readonly Box[]): Box {
  return {
    left: Math.min(...boxes.map((box) => box.left)),
    top: Math.min(...boxes.map((box) => box.top)),
    right: Math.max(...boxes.map((box) => box.right)),
    bottom: Math.max(...boxes.map((box) => box.bottom)),
  };
}

export function contains(outer: Box, { x, y }: { x: number; y: number }): boolean {
  return x >= outer.left && x <= outer.right && y >= outer.top && y <= outer.bottom;
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

/** The middle number; 0 of none. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
