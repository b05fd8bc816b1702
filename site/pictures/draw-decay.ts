/** The notes that the demo converts: written by our own synthetic hand on squared paper, as if scanned. */
import sharp from 'sharp';
import { createHand } from './hand/hand.ts';

/** The sheet's size in its own units; the picture has `scale` times as many pixels. */
const sheet = { width: 720, height: 900, square: 36 };
const scale = 2;

/** One SVG path per stroke. */
function writeDecay(): string[] {
  const slant = 0.42;
  const size = 22;
  const hand = createHand(30, { slant, unevenness: 0.06 });
  const { write, draw } = hand;
  const line = (text: string, y: number, x = 70) => write(text, x, y, size);
  /** Writes a fraction. @returns the pen's position afterwards */
  const fraction = (over: string, under: string, x: number, y: number, length: number) => {
    const bar = y - size * 0.5;
    write(over, x + 6, bar - size * 0.5, size * 0.85);
    draw([
      [x - 4, bar],
      [x + length / 2, bar - 1],
      [x + length, bar + 1],
    ]);
    write(under, x + 4, bar + size * 1.85, size * 0.85);
    return x + length + 16;
  };

  const titleEnd = write('Exponential decay', 70, 108, 27);
  draw([
    [66, 130],
    [180, 133],
    [300, 129],
    [titleEnd, 132],
  ]);
  line('The rate at which a sample decays', 202);
  line('is in proportion to what is left.', 268);
  line('= - ky', 358, fraction('dy', 'd t', 250, 358, 54));
  line('With the amount A at the start', 452);
  line('the solution is', 518);
  const base = line('y = Ae', 596, 250);
  write('-kt', base + size * 0.7 * slant - 1, 596 - size * 0.7, size * 0.7);
  line('so half of it is gone when', 690);
  line('kt = log 2', 768, 250);
  return hand.paths;
}

/** A JPEG of 1440 × 1800. */
export async function drawDecay(): Promise<Buffer> {
  const { width, height, square } = sheet;
  const squares = `<defs><pattern id="squares" width="${square}" height="${square}" patternUnits="userSpaceOnUse"><path d="M${square} 0H0V${square}" fill="none" stroke="#dfe9f0"/></pattern></defs><rect width="100%" height="100%" fill="#fdfcf7"/><rect width="100%" height="100%" fill="url(#squares)"/>`;
  const ink = `<path fill="none" stroke="#223c8c" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" d="${writeDecay().join('')}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width * scale}" height="${height * scale}" viewBox="0 0 ${width} ${height}">${squares}${ink}</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 92 }).toBuffer();
}

/** Its file name in the converter. */
export const decayName = 'decay.jpg';
