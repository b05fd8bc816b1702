/** Every attack there is, in the order of the table. */
import type { Attack } from './attack.ts';
import { attacksByHelpers } from './by-helpers.ts';
import { attacksByLua } from './by-lua.ts';
import { exhaustingAttacks } from './exhaust.ts';
import { reachingAttacks } from './reach.ts';
import { readingAttacks } from './read.ts';
import { neighbourReadingAttacks } from './read-neighbour.ts';
import { runningAttacks } from './run.ts';

export const allAttacks: readonly Attack[] = [
  ...readingAttacks,
  ...neighbourReadingAttacks,
  ...runningAttacks,
  ...reachingAttacks,
  ...exhaustingAttacks,
  ...attacksByHelpers,
  ...attacksByLua,
];
