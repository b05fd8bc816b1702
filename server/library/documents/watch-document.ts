/** Watches whether a document still exists during work on it, in the table, because another process may delete it. */
import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../database/database.ts';
import { documents } from '../schema.ts';

/** How often the table is checked, in ms: most compiles end before. */
const askEveryMs = 2_000;

/** True if the user's document exists and is not in the trash. */
export async function isDocumentThere(db: Database, userId: string, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.id, id), eq(documents.userId, userId), isNull(documents.trashedAt)));
  return rows.length > 0;
}

export interface DocumentWatch {
  /** Aborted with the caller's own, and once the document is deleted or moved to the trash. */
  signal: AbortSignal;
  readonly isDeleted: boolean;
  end(): void;
}

export function watchDocument(db: Database, userId: string, id: string, signal: AbortSignal): DocumentWatch {
  const deleted = new AbortController();
  const asks = setInterval(() => {
    isDocumentThere(db, userId, id).then(
      (isThere) => {
        if (!isThere) deleted.abort();
      },
      // while the database is unavailable, nothing is known
      () => {},
    );
  }, askEveryMs);
  return {
    signal: AbortSignal.any([signal, deleted.signal]),
    get isDeleted() {
      return deleted.signal.aborted;
    },
    end: () => clearInterval(asks),
  };
}
