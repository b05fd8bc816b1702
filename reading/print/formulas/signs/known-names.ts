/** Names of ink from earlier readings of the same part of a page: with another threshold, most of it is the same. */
import type { Box } from '../../../box.ts';
import type { Guess } from './sign-model.ts';

/** With another threshold, the edges of a piece that is otherwise the same move by a pixel of the sheet. */
const farthest = 1;
/**
 * A name that is less certain than this is looked at again: with 0.9, readings differ too little to tell which is best.
 */
const certain = 0.99;
/** Size of the squares that boxes are looked up by, in pixels. */
const square = 4;

interface Known {
  box: Box;
  /** Number of its pieces. */
  count: number;
  guesses: Guess[];
}

export class KnownNames {
  /** By the square that the middle of the box is in. */
  private readonly known = new Map<string, Known[]>();

  /** The guesses for a box, if one of them was certain. @param box in pixels of the enlarged page @param count number of pieces in it */
  find(box: Box, count: number): Guess[] | undefined {
    const edges = ['left', 'top', 'right', 'bottom'] as const;
    const isSame = (known: Known) =>
      known.count === count && edges.every((edge) => Math.abs(known.box[edge] - box[edge]) <= farthest);
    for (const x of [0, -1, 1])
      for (const y of [0, -1, 1]) {
        const found = this.known.get(squareOf(box, x, y))?.find(isSame);
        if (found) return found.guesses;
      }
    return undefined;
  }

  keep(box: Box, count: number, guesses: Guess[]): void {
    if (guesses[0]!.probability < certain) return;
    const place = squareOf(box);
    this.known.set(place, [...(this.known.get(place) ?? []), { box, count, guesses }]);
  }
}

function squareOf({ left, top, right, bottom }: Box, x = 0, y = 0): string {
  return `${Math.round((left + right) / 2 / square) + x} ${Math.round((top + bottom) / 2 / square) + y}`;
}
