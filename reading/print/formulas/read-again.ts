/** Which ink belongs to a display where print is faint or blurred: the threshold with which its signs are surest. */

import { formulaDoubtBelow } from './confidence.ts';

/** What is tried besides the usual threshold: paler and darker ink taken for ink. */
const otherThresholds = [0.34, 0.47, 0.29, 0.53];

/**
 * Reads a display again that would be marked.
 * @param first the reading with the usual threshold
 * @param again the reading with another
 * @param sureness of a reading, 0 … 1
 */
export async function surest<Reading>(
  first: Reading,
  again: (threshold: number) => Promise<Reading>,
  sureness: (reading: Reading) => number,
): Promise<Reading> {
  let best = { reading: first, sure: sureness(first) };
  for (const threshold of otherThresholds) {
    if (best.sure >= formulaDoubtBelow) break;
    const reading = await again(threshold);
    const sure = sureness(reading);
    if (sure > best.sure) best = { reading, sure };
  }
  return best.reading;
}
