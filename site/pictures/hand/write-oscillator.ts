import { createHand } from './hand.ts';

/** The notes of oscillator.tex as handwriting: one SVG path per stroke, in writing order. */
export function writeOscillator(): string[] {
  const hand = createHand(11);
  const { write, draw } = hand;
  /** Writes a fraction with its bar at `y`. @returns the end of the bar */
  const fraction = (over: string, under: string, x: number, y: number, size: number) => {
    write(over, x + size * 0.3, y - size * 0.55, size);
    const end = x + size * 1.5;
    draw([
      [x, y],
      [(x + end) / 2, y - 1],
      [end, y + 1],
    ]);
    write(under, x + size * 0.28, y + size * 1.95, size);
    return end;
  };
  const half = (x: number, y: number) => fraction('1', '2', x, y - 7, 9) + 4;
  const squared = (letter: string, x: number, y: number) =>
    write('2', write(letter, x, y, 19) - 2, y - 17, 10) + 2;
  const dot = (x: number, y: number) =>
    draw([
      [x, y],
      [x + 1.6, y + 1.2],
      [x + 0.4, y + 1.8],
    ]);

  const titleEnd = write('Harmonic oscillator', 56, 84, 24);
  draw([
    [54, 101],
    [190, 104],
    [310, 100],
    [titleEnd - 4, 103],
  ]);

  write('A mass on a spring:', 60, 145, 18);
  let x = write('m', 214, 206, 19);
  dot(x + 5, 180);
  dot(x + 13, 179);
  x = write('x', x, 206, 19) + 5;
  write('= -kx ,', x, 206, 19);
  x = write('ω =', 410, 206, 19) + 8;
  draw([
    [x, 204],
    [x + 6, 197],
    [x + 15, 232],
    [x + 27, 162],
    [x + 46, 160],
    [x + 70, 161],
  ]);
  fraction('k', 'm', x + 33, 196, 15);

  write('It goes to and fro:', 60, 272, 18);
  x = write('x(t) = A cos(', 214, 330, 19);
  x = write('ωt + ', x, 330, 19);
  write('φ).', x - 4, 330, 19);

  write('Its energy stays the same:', 60, 388, 18);
  x = write('E', 240, 442, 19) + 6;
  const equals = x;
  x = half(write('=', equals, 442, 19) + 8, 442);
  x = write('m', x, 442, 19);
  dot(x + 9, 416);
  x = squared('x', x, 442) + 6;
  x = half(write('+', x, 442, 19) + 4, 442);
  squared('x', write('k', x, 442, 19), 442);

  const left = write('=', equals, 512, 19) + 9;
  x = half(left + 10, 512);
  const right = squared('A', write('k', x, 512, 19), 512) + 6;
  draw([
    [left, 476],
    [(left + right) / 2, 474],
    [right, 477],
    [right + 1, 505],
    [right - 1, 533],
    [(left + right) / 2, 535],
    [left + 1, 532],
    [left - 1, 505],
    [left, 474],
  ]);
  return hand.paths;
}
