/**
 * Restores a backup into an installation. Everything is verified before anything is changed; the database changes in
 * one transaction, so that a failed restore leaves it as it was.
 */
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  authMigrations,
  listMigrations,
  type MigrationSet,
  migrateDatabase,
  migrationLockKey,
  productMigrations,
} from '../database/migrate.ts';
import type { Storage } from '../storage/storage.ts';
import { ArchiveReader } from './archive.ts';
import { listTables, refuseSupabase } from './create-backup.ts';
import { BackupManifest, excludedSchemas, manifestChecksumEntry, manifestEntry } from './manifest.ts';

interface RestoreBackupOptions {
  databaseUrl: string;
  storage: Storage;
  /** The storage prefixes under which features store files. */
  storageRoots: string[];
  source: string;
  /** Replaces the installation's data. Without it, only an empty installation can be restored into. */
  shouldReplace: boolean;
}

/** @throws Error with a message for the operator: damaged, from a newer release, not empty, in use. */
export async function restoreBackup(options: RestoreBackupOptions): Promise<BackupManifest> {
  const { archive, manifest } = await verifyBackup(options.source);
  const client = new pg.Client({
    connectionString: options.databaseUrl,
    application_name: 'inkproof restore',
  });
  client.on('error', () => {});
  await client.connect();
  try {
    // a server that starts now waits with its migrations until this is done
    await client.query('SELECT pg_advisory_lock($1)', [migrationLockKey]);
    await refuseSupabase(client);
    await refuseWhileInUse(client, 'restore');
    if (!options.shouldReplace) await refuseUnlessEmpty(client, options);
    const former = await listFormerFiles(options);
    await client.query('BEGIN');
    try {
      await dropEverything(client);
      await createSchema(client, manifest);
      await loadTables(client, archive, manifest);
      for (const file of manifest.files) await options.storage.put(file.key, archive.read(file.entry));
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      const formerKeys = new Set(former);
      for (const { key } of manifest.files)
        if (!formerKeys.has(key)) await options.storage.delete(key).catch(() => {});
      throw error;
    }
    const restored = new Set(manifest.files.map((file) => file.key));
    for (const key of former) if (!restored.has(key)) await options.storage.delete(key);
  } finally {
    await client.end();
  }
  await migrateDatabase(options.databaseUrl);
  return manifest;
}

/** Compares every byte with the manifest. @throws Error */
export async function verifyBackup(
  source: string,
): Promise<{ archive: ArchiveReader; manifest: BackupManifest }> {
  try {
    const archive = await ArchiveReader.open(source);
    if (!archive.has(manifestEntry)) throw new Error('it has no manifest');
    const text = await archive.readText(manifestEntry);
    const expected = (await archive.readText(manifestChecksumEntry)).trim();
    if (createHash('sha256').update(text).digest('hex') !== expected)
      throw new Error('its manifest is damaged');
    const manifest = BackupManifest.parse(JSON.parse(text));
    for (const part of [...manifest.tables, ...manifest.files]) await archive.verify(part.entry, part);
    const isKnown = (level: number | null, set: MigrationSet) =>
      level === null || listMigrations(set).some(({ when }) => when === level);
    if (
      !isKnown(manifest.migrationLevel, productMigrations) ||
      !isKnown(manifest.accountsLevel, authMigrations)
    ) {
      throw new Error('it was made by a newer release of Inkproof; install that release or a later one');
    }
    return { archive, manifest };
  } catch (error) {
    throw new Error(`${source} cannot be restored: ${(error as Error).message}.`, { cause: error });
  }
}

/**
 * Number of checks whether the database is in use, and ms between them: PostgreSQL lists a stopped server's connections
 * a moment longer.
 */
const looksForUse = { times: 30, everyMs: 100 };

/** @param wish what to do next. @throws Error with a message if any other process is connected */
export async function refuseWhileInUse(client: pg.Client, nextStep: string): Promise<void> {
  for (let look = 1; look <= looksForUse.times; look++) {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
          AND application_name <> $1`,
      [`inkproof presence ${process.pid}`],
    );
    if (!rows[0]?.count) return;
    if (look < looksForUse.times) await sleep(looksForUse.everyMs);
  }
  throw new Error(`The database is in use. Stop every Inkproof server and worker first, then ${nextStep}.`);
}

/** Tables that contain rows even in an unused installation: a migration or the first start writes them. */
const filledByTheServer = new Set([
  'public.page_conversion_totals',
  'private.settings',
  'private.disposable_domains',
  'auth.signing_keys',
  'auth.rate_limits',
]);

async function refuseUnlessEmpty(client: pg.Client, options: RestoreBackupOptions): Promise<void> {
  for (const { schema, name } of await listTables(client)) {
    if (schema === 'drizzle' || filledByTheServer.has(`${schema}.${name}`)) continue;
    const { rows } = await client.query<{ filled: boolean }>(
      `SELECT EXISTS (SELECT FROM ${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}) AS filled`,
    );
    if (rows[0]?.filled)
      throw new Error(
        'This installation is not empty. To replace everything in it with the backup, add --replace.',
      );
  }
  for (const root of options.storageRoots) {
    for await (const _ of options.storage.list(root))
      throw new Error(
        'The file storage of this installation is not empty. To replace everything in it with the backup, add --replace.',
      );
  }
}

async function listFormerFiles(options: RestoreBackupOptions): Promise<string[]> {
  const keys: string[] = [];
  for (const root of options.storageRoots)
    for await (const { key } of options.storage.list(root)) keys.push(key);
  return keys;
}

/** Our tables, sequences, views, types and schemas: the database is used only by Inkproof. */
async function dropEverything(client: pg.Client): Promise<void> {
  const { rows: schemas } = await client.query<{ name: string }>(
    `SELECT nspname AS name FROM pg_namespace n
      WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public')
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = n.oid AND d.deptype = 'e')`,
  );
  for (const { name } of schemas) await client.query(`DROP SCHEMA ${client.escapeIdentifier(name)} CASCADE`);
  const { rows: relations } = await client.query<{ name: string; kind: string }>(
    `SELECT relname AS name, CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind
       FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
      ORDER BY relkind = 'S'`,
  );
  for (const { name, kind } of relations)
    await client.query(`DROP ${kind} IF EXISTS public.${client.escapeIdentifier(name)} CASCADE`);
  const { rows: types } = await client.query<{ name: string }>(
    "SELECT typname AS name FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd')",
  );
  for (const { name } of types)
    await client.query(`DROP TYPE IF EXISTS public.${client.escapeIdentifier(name)} CASCADE`);
}

/** The schema at the time of the backup; newer migrations are applied once its rows are restored. */
async function createSchema(client: pg.Client, manifest: BackupManifest): Promise<void> {
  await client.query('CREATE SCHEMA drizzle');
  const levels = [
    { set: authMigrations, level: manifest.accountsLevel },
    { set: productMigrations, level: manifest.migrationLevel },
  ];
  for (const { set, level } of levels) {
    if (level === null) continue;
    await client.query(
      `CREATE TABLE drizzle.${set.journal} (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at bigint)`,
    );
    for (const migration of readMigrationFiles({ migrationsFolder: set.folder })) {
      if (migration.folderMillis > level) break;
      for (const statement of migration.sql) await client.query(statement);
    }
  }
}

async function loadTables(
  client: pg.Client,
  archive: ArchiveReader,
  manifest: BackupManifest,
): Promise<void> {
  // foreign keys are checked once, when they are recreated, so the order of tables does not matter
  const { rows: keys } = await client.query<{ relation: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS relation, conname AS name, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint c WHERE contype = 'f' AND conparentid = 0
        AND connamespace::regnamespace::text !~ '^pg_' AND connamespace::regnamespace::text <> ALL ($1)`,
    [excludedSchemas],
  );
  for (const key of keys)
    await client.query(`ALTER TABLE ${key.relation} DROP CONSTRAINT ${client.escapeIdentifier(key.name)}`);
  for (const table of manifest.tables) {
    const name = `${client.escapeIdentifier(table.schema)}.${client.escapeIdentifier(table.name)}`;
    const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(', ');
    await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
    // rows written by the migrations themselves
    await client.query(`DELETE FROM ${name}`);
    const sink = client.query(copyFrom(`COPY ${name} (${columns}) FROM STDIN`));
    await pipeline(archive.read(table.entry), sink);
    if (sink.rowCount !== table.rowCount) {
      throw new Error(
        `The table ${table.name} took ${sink.rowCount} rows; the backup has ${table.rowCount}.`,
      );
    }
    await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  }
  for (const { schema, name, lastValue, isCalled } of manifest.sequences) {
    await client.query('SELECT setval(format($1, $2::text, $3::text)::regclass, $4, $5)', [
      '%I.%I',
      schema,
      name,
      lastValue,
      isCalled,
    ]);
  }
  for (const key of keys)
    await client.query(
      `ALTER TABLE ${key.relation} ADD CONSTRAINT ${client.escapeIdentifier(key.name)} ${key.definition}`,
    );
}
