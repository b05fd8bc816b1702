/** The room’s functions on a real database and folder, for tests of concurrent callers. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { parseEnv } from '#platform/env.ts';
import type { Database, OpenedDatabase } from '#server/database/database.ts';
import { createPool } from '#server/database/pool.ts';
import { openStorage } from '#server/storage/open-storage.ts';
import type { Storage } from '#server/storage/storage.ts';
import { NewDocument } from '#shared/api/library.ts';
import { createTestDatabase } from '../../../test-support/database.ts';
import { createAccountWithCredits } from '../../../test-support/money/credits.ts';
import { createDocument } from '../documents/create-document.ts';

export interface TestLibrary extends OpenedDatabase {
  storage: Storage;
  /** @returns the new account's id */
  createAccount(): Promise<string>;
  /** @returns the new document's id */
  create(userId: string, given?: Partial<NewDocument>): Promise<string>;
}

export async function openLibrary(): Promise<TestLibrary> {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'inkproof-library-'));
  const storage = openStorage(parseEnv({ DATA_DIR: dataDir }));
  const deps = {
    db: database.db,
    storage,
    findDelivered: async () => null,
    redrawPicture: async (bytes: Uint8Array) => bytes,
  };
  return {
    ...database,
    storage,
    createAccount: () => createAccountWithCredits(database),
    create: (userId, given = {}) =>
      createDocument(deps, userId, [userId], NewDocument.parse({ latex: 'Hello', ...given })),
    async close() {
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Opens the database of a running product from outside. */
export function openDb(url: string): { db: Database; close(): Promise<void> } {
  const pool = createPool(url);
  return { db: drizzle(pool), close: () => pool.end() };
}
