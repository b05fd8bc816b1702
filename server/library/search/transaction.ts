import type { Database } from '#server/database/database.ts';

export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/** The indexed documents of one user. */
export interface Library extends Record<string, unknown> {
  id: number;
  /** Number of documents. */
  documents: number;
  /** All their numbers are below it. */
  nextNumber: number;
}
