/**
 * Before the database tests: one embedded PostgreSQL in a separate folder, and in it one migrated template that
 * every test file copies. Real server, real migrations; only fsync is off, because no test cuts its power.
 */
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openEmbeddedPostgres } from '#server/database/embedded/embedded-postgres.ts';
import { migrateDatabase } from '#server/database/migrate.ts';
import { loadDisposableDomains } from '#server/identity/sign-up/disposable-domains.ts';
import { bundleServer } from './product/bundle-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser's connection string to the tests' server. */
    databaseAdminUrl: string;
    /** The application role's connection string to the template. */
    databaseTemplateUrl: string;
  }
}

const folderPrefix = 'inkproof-test-';
/** Below node_modules, so that packages outside the bundle are found from there. */
const bundles = path.join(import.meta.dirname, '../node_modules/.cache/inkproof-bundles');

export default async function setUpDatabase(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers();
  const folder = await mkdtemp(path.join(os.tmpdir(), `${folderPrefix}${process.pid}-`));
  // run by root, the server runs as another user and must reach its folder
  await chmod(folder, 0o711);
  const server = await openEmbeddedPostgres({ dataDir: path.join(folder, 'data') });
  const admin = new pg.Client({ connectionString: server.adminUrl });
  await admin.connect();
  for (const setting of [
    'fsync = off',
    'synchronous_commit = off',
    'full_page_writes = off',
    'autovacuum = off',
  ])
    await admin.query(`ALTER SYSTEM SET ${setting}`);
  await admin.query('SELECT pg_reload_conf()');
  // the launcher's presence connection keeps the application's database from being copied, so it is copied
  // once, before migrating
  const template = new URL(server.url);
  template.pathname = '/inkproof_template';
  await admin.query('CREATE DATABASE inkproof_template OWNER inkproof');
  await admin.end();
  await migrateDatabase(template.href);
  await fillTemplate(template.href);
  // for the processes that tests start, which inherit it
  const bundle = path.join(bundles, String(process.pid));
  process.env.INKPROOF_BUNDLE = await bundleServer(bundle);
  project.provide('databaseAdminUrl', server.adminUrl);
  project.provide('databaseTemplateUrl', template.href);
  return async () => {
    await server.close();
    for (const made of [folder, bundle]) await rm(made, { recursive: true, force: true });
  };
}

/**
 * What every server would load at its first start: copied with the template, so that it costs each test file
 * nothing.
 */
async function fillTemplate(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url });
  await loadDisposableDomains(pool);
  await pool.end();
}

/** A killed run leaves its server behind; the next run ends it, by attaching and being the last to leave. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(os.tmpdir())) {
    const owner = name.startsWith(folderPrefix)
      ? Number(/^\d+/.exec(name.slice(folderPrefix.length))?.[0])
      : Number.NaN;
    if (!(owner > 0) || isAlive(owner)) continue;
    const folder = path.join(os.tmpdir(), name);
    await openEmbeddedPostgres({ dataDir: path.join(folder, 'data') })
      .then((server) => server.close())
      .catch(() => {});
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
