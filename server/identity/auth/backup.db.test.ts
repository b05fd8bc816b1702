// Accounts after a backup is restored: people keep their sessions, and nobody gets the free credits twice.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createBackup } from '#server/backup/create-backup.ts';
import { restoreBackup } from '#server/backup/restore-backup.ts';
import { openFolderStorage } from '#server/storage/folder-storage.ts';
import { createTestDatabase } from '../../../test-support/database.ts';
import { type AuthRig, goodPassword, startAuthRig } from './testing.ts';

const creditsOf = async (rig: AuthRig, id: string) =>
  (
    await rig.sql.query(
      `SELECT conversion_credits, (SELECT count(*)::int FROM credit_entries e WHERE e.user_id = c.user_id) AS entries
         FROM user_credits c WHERE user_id = $1`,
      [id],
    )
  ).rows;

test('an account, its sessions and its credits are restored as they were', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'inkproof-accounts-'));
  const source = path.join(folder, 'notes.tar');
  const storage = openFolderStorage(path.join(folder, 'files'));
  const target = await createTestDatabase();
  const former = await startAuthRig();
  // started once, as someone following the instructions would have done
  const untouched = await startAuthRig({ DATABASE_URL: target.url });
  await untouched.close();
  try {
    const session = await former.createUser('ada@example.com');
    const credits = await creditsOf(former, session.user.id);
    expect(credits).toEqual([{ conversion_credits: 10, entries: 1 }]);
    await createBackup({
      databaseUrl: former.server.databaseUrl,
      storage,
      listOwnedPrefixes: async () => [],
      target: source,
    });
    await restoreBackup({ databaseUrl: target.url, storage, storageRoots: [], source, shouldReplace: false });

    const restored = await startAuthRig({ DATABASE_URL: target.url });
    try {
      expect(await creditsOf(restored, session.user.id)).toEqual(credits);
      const again = await restored.refresh(session.refresh_token);
      expect(again).toMatchObject({ status: 200, body: { user: { email: 'ada@example.com' } } });
      expect((await restored.signIn('ada@example.com', goodPassword)).status).toBe(200);
      expect(await creditsOf(restored, session.user.id)).toEqual(credits);
    } finally {
      await restored.close();
    }
  } finally {
    await former.close();
    await target.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a Supabase project’s database is neither backed up nor replaced', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'inkproof-accounts-'));
  const storage = openFolderStorage(path.join(folder, 'files'));
  const database = await createTestDatabase();
  try {
    // as it looks there: the tables without our journal
    await database.pool.query('DROP TABLE drizzle.__auth_migrations');
    const target = path.join(folder, 'notes.tar');
    const scope = { databaseUrl: database.url, storage, listOwnedPrefixes: async () => [] };
    await expect(createBackup({ ...scope, target })).rejects.toThrow(/Supabase project.*own backups/);
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
