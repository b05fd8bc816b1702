/** A page in a hand of our own: letters drawn for this project as pen strokes, no two of them quite alike. */
import sharp from 'sharp';

/** Strokes of a letter (SVG paths) in a box of its width; the x-height is 10, the baseline lies at 0, y grows downwards. */
const letters: Record<string, { width: number; strokes: string }> = {
  a: { width: 9, strokes: 'M8-8.5C5-11 0.5-9 0.8-4C1-0.5 5 0.5 7.6-4.5L8.2-9C7.6-5 7.6-1.5 9.2-0.3' },
  c: { width: 8, strokes: 'M7.5-8.5C4-11 0.4-8 0.8-4C1.2 0 5.5 0.6 8-1.6' },
  d: { width: 9, strokes: 'M7.8-8C5-10.6 0.6-9 0.8-4C1 0 5.4 0.4 7.6-4L8.4-19C8-12 7.6-3 9.2-0.2' },
  e: {
    width: 8,
    strokes: 'M1-5C4-4.6 7-5.6 7-7.8C7-10.4 3.6-10.6 1.8-7.6C0-4.4 1.4-0.2 4.4 0.1C6 0.2 7.4-0.6 8.4-2',
  },
  f: { width: 7, strokes: 'M7.6-17.4C5.4-19.6 3.4-18 3.2-14L2.8 0M0-9.6L6.4-10' },
  h: { width: 9, strokes: 'M1-19L1.2 0M1.2-5C2.4-8.6 4.4-10.2 6-9.8C8-9.2 7.4-4 7.8 0' },
  i: { width: 4, strokes: 'M2-10L2.2-1.6C2.4-0.2 3.2 0 4-0.8M2.1-14.4L2.3-13.8' },
  l: { width: 4, strokes: 'M1.6-19L1.8-2C1.9-0.2 2.8 0.1 4-0.6' },
  m: {
    width: 14,
    strokes:
      'M1-10L1.2 0M1.2-5C2.6-9 4.6-10.4 5.8-9.6C7-8.8 6.6-4 6.8 0M6.8-5C8.2-9 10.2-10.4 11.6-9.6C13-8.8 12.4-3 13.4 0',
  },
  n: { width: 9, strokes: 'M1-10L1.3 0M1.3-5C2.6-9 4.8-10.4 6.2-9.6C7.8-8.6 7-3.6 8 0' },
  o: { width: 9, strokes: 'M5-10C1.6-10.2 0.4-6.6 0.9-3.6C1.4-0.4 4.6 0.8 6.9-1.2C9.2-3.4 8.8-9.8 4.6-9.9' },
  r: { width: 7, strokes: 'M1-10L1.4 0M1.4-5.6C2.6-8.8 4.4-10.2 6.6-9.4' },
  s: {
    width: 7,
    strokes: 'M6.6-8.8C4.6-10.6 1.4-10 1.4-7.8C1.4-5.2 6.6-5.2 6.4-2.4C6.2 0.2 2.4 0.8 0.6-1.2',
  },
  t: { width: 7, strokes: 'M3.4-16L3.2-3C3.2-0.2 4.8 0.4 6.6-1M0-10.4L6.6-10.8' },
  u: { width: 9, strokes: 'M1-10C0.8-5 0.6-0.4 3.8 0C6-0.1 7.2-3 7.6-9.8C7.4-5 7.4-1 9-0.2' },
  w: {
    width: 13,
    strokes: 'M0.6-10C1.4-5 1.8-1 3.8 0C5.4-1 6-5 6.4-9C6.8-5 7.6-0.6 9.4 0C11.4-1 11.8-6 12.2-10',
  },
};
const space = 9;
const between = 0.2;

/**
 * White paper of 1400 × 1000 with lines in that hand.
 * @param lines of the letters above and spaces
 * @param isRuled whether the paper has blue lines
 */
export async function drawHandwriting(lines: readonly string[], isRuled = false): Promise<Buffer> {
  const [left, top, step] = [130, 200, 120];
  const write = createHand();
  const strokes = lines.map((line, row) => write(line, left, top + row * step));
  const rules = Array.from({ length: 13 }, (_, row) => `<path d="M0 ${90 + 60 * row}H1400"/>`).join('');
  return await drawPage(1400, 1000, [
    isRuled ? `<g stroke="#9fb4dc" stroke-width="2">${rules}</g>` : '',
    ...strokes,
  ]);
}

export type Hand = (words: string, left: number, baseline: number) => string;

/** Somebody who writes: SVG of words at a place, with an x-height of 26 pixels. */
export function createHand(): Hand {
  const [size, slant] = [2.6, 34];
  let turn = 0;
  return (words, left, baseline) => {
    let x = left;
    const strokes = [...words].map((sign) => {
      const letter = letters[sign];
      turn++;
      if (!letter) {
        x += space * size;
        return '';
      }
      const [lift, tilt] = [5 * Math.sin(turn * 1.7), 6 * Math.sin(turn * 2.3)];
      const place = `translate(${x} ${baseline + lift}) rotate(${tilt}) skewX(-${slant}) scale(${size * (1 + 0.12 * Math.sin(turn * 3.1))} ${size})`;
      x += (letter.width + between) * size;
      return `<path transform="${place}" d="${letter.strokes}"/>`;
    });
    return `<g fill="none" stroke="#1d2340" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${strokes.join('')}</g>`;
  };
}

/** White paper with these SVG elements on it, as PNG. */
export async function drawPage(width: number, height: number, elements: readonly string[]): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${elements.join('')}</svg>`;
  return await sharp(Buffer.from(svg)).png().toBuffer();
}
