/** Redraws pictures that users keep in a page process, where a hostile one can do no harm. */
import { createPagePool, type PagePool } from './page-pool.ts';

let pool: PagePool | undefined;
/** Limit per picture. */
const limits = { cpuMs: 15_000 };

/**
 * The same picture in the same format, upright and in sRGB; the result has no metadata except its density.
 * @param owner whose queue it joins, as written by `FairQueue`
 * @throws ApiError INVALID_INPUT when it cannot be drawn; WorkLost; WorkStarved
 */
export function redrawPicture(bytes: Uint8Array, owner: string): Promise<Uint8Array> {
  pool ??= createPagePool({ size: 1, limits });
  return pool.run({ kind: 'redraw', bytes }, { owner });
}
