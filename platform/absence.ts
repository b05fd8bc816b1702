/**
 * What an error says of the parts that the server depends on: that one of them is away. Such an error is nobody's
 * doing: it is answered with 503, and the work behind it is done later.
 */
import { ApiError } from './errors.ts';

/**
 * - `database`: PostgreSQL is out of reach or does not answer.
 * - `storage`: files cannot be read or written, for another reason than room.
 * - `disk`: there is no room where something has to be written, the database's own disk included.
 */
export type Absence = 'database' | 'storage' | 'disk';

/** EDQUOT is a full disk to whoever has the quota; 53100 is PostgreSQL's word for its own. */
const noRoom = new Set(['ENOSPC', 'EDQUOT', '53100']);

const known = new WeakMap<Error, Absence>();

/** Notes on an error, where it is known whose it is, that this part is away. @returns the error */
export function markAbsence(error: unknown, absence: Absence): unknown {
  if (error instanceof Error && findAbsence(error) === null) known.set(error, absence);
  return error;
}

/** The part that is away, by an error or what caused it; null for every other error. */
export function findAbsence(error: unknown): Absence | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const marked = known.get(at);
    if (marked) return marked;
    const { code } = at as { code?: unknown };
    if (typeof code === 'string' && noRoom.has(code)) return 'disk';
  }
  return null;
}

/** How an absence is answered; null for an error of another kind. */
export function describeAbsence(error: unknown): ApiError | null {
  const absence = findAbsence(error);
  if (absence === null) return null;
  return absence === 'disk'
    ? new ApiError('STORAGE_FULL', { cause: error, retryAfterSeconds: 60 })
    : new ApiError('UNAVAILABLE', { cause: error, retryAfterSeconds: 10 });
}
