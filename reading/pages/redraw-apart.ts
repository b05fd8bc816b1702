/** Pictures that people keep, drawn anew where a hostile one can do no harm. */
import { createPagePool, type PagePool } from './page-pool.ts';

let pool: PagePool | undefined;
/** Of one picture. */
const limits = { cpuMs: 15_000 };

/**
 * The same picture in the same format, upright and in sRGB; what is drawn here has no metadata but its density.
 * @param owner whose turn it takes, as `FairQueue` writes it
 * @throws ApiError INVALID_INPUT when it cannot be drawn; WorkLost; WorkStarved
 */
export function redrawPicture(bytes: Uint8Array, owner: string): Promise<Uint8Array> {
  pool ??= createPagePool({ size: 1, limits });
  return pool.run({ kind: 'redraw', bytes }, { owner });
}
