/** Pictures that people keep, drawn anew where a hostile one can do no harm. */
import { createPagePool, type PagePool } from './page-pool.ts';

let pool: PagePool | undefined;

/**
 * The same picture in the same format, upright and in sRGB; what is drawn here has no metadata but its density.
 * @throws ApiError INVALID_INPUT when it cannot be drawn; PageProcessLost
 */
export function redrawPicture(bytes: Uint8Array): Promise<Uint8Array> {
  pool ??= createPagePool({ size: 1 });
  return pool.run({ kind: 'redraw', bytes });
}
