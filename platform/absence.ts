/**
 * Recognises errors which mean that a part the server depends on is unavailable. Such an error is not the
 * caller's fault: it is answered with 503, and the work behind it is done later.
 */
import { ApiError } from './errors.ts';

/**
 * - `database`: PostgreSQL is unreachable or does not respond.
 * - `storage`: files cannot be read or written, for a reason other than space.
 * - `disk`: there is no space where something has to be written, including the database's own disk.
 */
export type Absence = 'database' | 'storage' | 'disk';

/** EDQUOT is a full disk for the user whose quota it is; 53100 is PostgreSQL's code for its own. */
const noRoom = new Set(['ENOSPC', 'EDQUOT', '53100']);

const known = new WeakMap<Error, Absence>();

/**
 * Marks an error, where its origin is known, as meaning that this part is unavailable.
 * @returns the error
 */
export function markAbsence(error: unknown, absence: Absence): unknown {
  if (error instanceof Error && findAbsence(error) === null) known.set(error, absence);
  return error;
}

/** The part that is unavailable, according to an error or its causes; null for every other error. */
export function findAbsence(error: unknown): Absence | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const marked = known.get(at);
    if (marked) return marked;
    const { code } = at as { code?: unknown };
    if (typeof code === 'string' && noRoom.has(code)) return 'disk';
  }
  return null;
}

/** The response to an absence; null for any other error. */
export function describeAbsence(error: unknown): ApiError | null {
  const absence = findAbsence(error);
  if (absence === null) return null;
  return absence === 'disk'
    ? new ApiError('STORAGE_FULL', { cause: error, retryAfterSeconds: 60 })
    : new ApiError('UNAVAILABLE', { cause: error, retryAfterSeconds: 10 });
}
