/** Whether a document is still there for work that goes on at it. Several processes may work: the table says it. */
import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../database/database.ts';
import { documents } from '../schema.ts';

/** How often it is asked, in ms: most compiles are over before. */
const askEveryMs = 2_000;

/** Whether a person's document is kept, and not in the trash. */
export async function isDocumentThere(db: Database, userId: string, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.id, id), eq(documents.userId, userId), isNull(documents.trashedAt)));
  return rows.length > 0;
}

export interface DocumentWatch {
  /** Aborted with the caller's own, and once the document is deleted, for good or to the trash. */
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
      // of a database that is away nothing is known
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
