/**
 * Backs up a running installation. The tables come from one REPEATABLE READ snapshot, so they are consistent whatever
 * is written meanwhile. The files are those the snapshot's rows own. Files are written once and never changed, so each
 * is either unchanged or has been removed since.
 */
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { authMigrations, migrationLockKey, readMigrationLevel } from '../database/migrate.ts';
import { type Storage, StorageNotFound } from '../storage/storage.ts';
import { ArchiveWriter } from './archive.ts';
import { type BackupManifest, excludedSchemas, manifestChecksumEntry, manifestEntry } from './manifest.ts';

interface CreateBackupOptions {
  databaseUrl: string;
  storage: Storage;
  /** The storage prefixes that the snapshot's rows own, queried inside the snapshot's transaction. */
  listOwnedPrefixes: (client: pg.Client) => Promise<string[]>;
  /** The file to write; replaced only when the new one is complete. */
  target: string;
}

/** @throws Error when the database or the target cannot be used; the target is then unchanged. */
export async function createBackup(options: CreateBackupOptions): Promise<BackupManifest> {
  const archive = await ArchiveWriter.create(options.target);
  const client = new pg.Client({
    connectionString: options.databaseUrl,
    application_name: 'inkproof backup',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    // a newer release that starts now waits with its migrations until the backup is done
    await client.query('SELECT pg_advisory_lock_shared($1)', [migrationLockKey]);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await refuseSupabase(client);
    const manifest: BackupManifest = {
      format: 1,
      product: 'inkproof',
      createdAt: new Date().toISOString(),
      migrationLevel: await readMigrationLevel(client),
      accountsLevel: await readMigrationLevel(client, authMigrations),
      tables: [],
      sequences: await listSequences(client),
      files: [],
      vanishedFiles: 0,
    };
    if (manifest.migrationLevel === null) {
      throw new Error('There is nothing to back up: this installation has never been started.');
    }
    const prefixes = await options.listOwnedPrefixes(client);
    for (const table of await listTables(client)) {
      const entry = `tables/${manifest.tables.length}.copy`;
      const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(', ');
      const name = `${client.escapeIdentifier(table.schema)}.${client.escapeIdentifier(table.name)}`;
      const stream = client.query(copyTo(`COPY ${name} (${columns}) TO STDOUT`));
      const written = await archive.add(entry, stream);
      manifest.tables.push({ ...table, entry, rowCount: stream.rowCount, ...written });
    }
    await client.query('COMMIT');
    for (const prefix of prefixes) await addFiles(archive, options.storage, prefix, manifest);
    const text = `${JSON.stringify(manifest, null, 1)}\n`;
    const { sha256 } = await archive.add(manifestEntry, text);
    await archive.add(manifestChecksumEntry, `${sha256}\n`);
    await archive.finish();
    return manifest;
  } catch (error) {
    await archive.discard();
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

async function addFiles(
  archive: ArchiveWriter,
  storage: Storage,
  prefix: string,
  manifest: BackupManifest,
): Promise<void> {
  for await (const { key } of storage.list(prefix)) {
    const entry = `files/${manifest.files.length}`;
    try {
      const written = await archive.add(entry, await storage.getStream(key));
      manifest.files.push({ key, entry, ...written });
    } catch (error) {
      if (!(error instanceof StorageNotFound)) throw error;
      manifest.vanishedFiles++;
    }
  }
}

/**
 * A Supabase project's database contains schemas that we must not read or replace.
 * @throws Error that says what to do instead
 */
export async function refuseSupabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>(
    "SELECT to_regnamespace('auth') IS NOT NULL AS found",
  );
  if (!rows[0]?.found || (await readMigrationLevel(client, authMigrations)) !== null) return;
  throw new Error(
    'This database belongs to a Supabase project, which also stores the accounts. Use the project’s own backups.',
  );
}

interface Table {
  schema: string;
  name: string;
  columns: string[];
}

/** All our tables, with the columns that contain data of their own (generated ones are derived from them). */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT n.nspname AS schema, c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      WHERE c.relkind = 'r' AND n.nspname !~ '^pg_' AND n.nspname <> ALL ($1)
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
      GROUP BY 1, 2 ORDER BY 1, 2`,
    [excludedSchemas],
  );
  return rows;
}

async function listSequences(client: pg.Client): Promise<BackupManifest['sequences']> {
  const { rows: names } = await client.query<{ schema: string; name: string }>(
    `SELECT schemaname AS schema, sequencename AS name FROM pg_sequences
      WHERE schemaname !~ '^pg_' AND schemaname <> ALL ($1) ORDER BY 1, 2`,
    [excludedSchemas],
  );
  const sequences: BackupManifest['sequences'] = [];
  for (const { schema, name } of names) {
    const { rows } = await client.query<{ lastValue: string; isCalled: boolean }>(
      `SELECT last_value::text AS "lastValue", is_called AS "isCalled" FROM ${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`,
    );
    if (rows[0]) sequences.push({ schema, name, ...rows[0] });
  }
  return sequences;
}
