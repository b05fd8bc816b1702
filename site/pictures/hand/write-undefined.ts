import { createHand } from './hand.ts';

/** The sheet's size, px. */
export const undefinedSheet = { width: 480, height: 360 };

/** A division by zero, for the page that is shown where there is none: one SVG path per stroke. */
export function writeUndefined(): string[] {
  const hand = createHand(5);
  hand.write('this page', 84, 144, 30);
  hand.draw([
    [72, 186],
    [170, 183],
    [284, 187],
  ]);
  hand.write('0', 154, 260, 32);
  hand.write('=', 314, 200, 28);
  hand.write('?', 370, 206, 34);
  return hand.paths;
}
