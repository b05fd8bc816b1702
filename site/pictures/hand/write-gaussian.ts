import { createHand } from './hand.ts';

/** The sheet's size, px: the aspect ratio of gaussian.tex's page. */
export const sheet = { width: 720, height: 560 };

/** The notes of gaussian.tex as handwriting: one SVG path per stroke, in writing order. */
export function writeGaussian(): string[] {
  const hand = createHand(7);
  const { write, draw } = hand;
  /** Writes `e` with an exponent. @returns the pen's position afterwards */
  const exponent = (
    x: number,
    y: number,
    size: number,
    power: (x: number, y: number, size: number) => number,
  ) => power(write('e', x, y, size) + 1, y - size * 0.95, size * 0.62);
  const squared = (letter: string) => (x: number, y: number, size: number) =>
    write('2', write(letter, x, y, size) - 1, y - size * 0.8, size * 0.6) + 2;
  /** Writes an integral sign with its limits. */
  const integral = (x: number, y: number, size: number, from: string, to: string) => {
    write('∫', x, y, size);
    write(to, x + size * 1.25, y - size * 2.15, size * 0.5);
    return write(from, x + size * 0.55, y + size * 1.05, size * 0.5);
  };

  const titleEnd = write('Gaussian integral', 62, 84, 25);
  draw([
    [60, 100],
    [190, 103],
    [300, 99],
    [titleEnd - 4, 102],
  ]);

  write('Let', 64, 138, 18);
  let x = write('I =', 246, 176, 20) + 8;
  x = integral(x, 176, 20, '-∞', '∞') + 4;
  x = exponent(x, 176, 20, (ex, ey, es) => squared('x')(write('-', ex, ey, es), ey, es));
  write('dx.', x + 8, 176, 20);

  write('Square it, then use polar coordinates:', 64, 240, 17.5);

  x = squared('I')(160, 308, 20) + 6;
  const equals = x + 4;
  x = write('=', equals, 308, 20) + 8;
  write('∫', x, 308, 20);
  write('∫', x + 17, 308, 20);
  const region = write('R', x + 31, 332, 10);
  write('2', region - 2, 324, 6);
  x = exponent(x + 46, 308, 20, (ex, ey, es) => {
    let at = write('-(', ex, ey, es);
    at = squared('x')(at, ey, es);
    at = squared('y')(write('+', at, ey, es), ey, es);
    return write(')', at, ey, es);
  });
  write('dx dy', x + 8, 308, 20);

  x = write('=', equals, 398, 20) + 8;
  x = integral(x, 398, 20, '0', '2π') + 16;
  x = integral(x, 398, 20, '0', '∞') + 12;
  x = exponent(x, 398, 20, (ex, ey, es) => squared('r')(write('-', ex, ey, es), ey, es));
  x = write('r dr d', x + 6, 398, 20);
  x = write('θ', x, 398, 18);
  write('= π.', x + 12, 398, 20);

  write('As', 64, 462, 18);
  write('I > 0,', 114, 462, 18);

  x = write('I =', 300, 506, 21) + 10;
  draw([
    [x, 498],
    [x + 5, 492],
    [x + 14, 508],
    [x + 24, 468],
    [x + 40, 466],
    [x + 56, 467],
  ]);
  write('π', x + 28, 506, 20);
  const right = x + 74;
  draw([
    [282, 452],
    [340, 449],
    [right, 453],
  ]);
  draw([
    [right, 452],
    [right + 3, 490],
    [right, 526],
  ]);
  draw([
    [right + 2, 525],
    [340, 528],
    [280, 524],
  ]);
  draw([
    [281, 526],
    [279, 490],
    [283, 450],
  ]);
  return hand.paths;
}
