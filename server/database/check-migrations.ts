/**
 * `npm run migrations:check`: generating migrations again must yield nothing; otherwise a schema was changed without
 * one. Works on a copy; exits with 1 and prints the missing statements.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
/** Each set's folder and its configuration for drizzle-kit. */
const sets = { migrations: 'drizzle.config.ts', 'auth-migrations': 'drizzle-auth.config.ts' };

/** The statements of a missing migration; empty if schema and migrations agree. @throws Error if drizzle-kit fails. */
export function findMissingMigration(): string {
  return Object.entries(sets)
    .map(([folder, config]) => findMissing(path.join(import.meta.dirname, folder), config))
    .filter(Boolean)
    .join('\n');
}

function findMissing(migrations: string, config: string): string {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'inkproof-migrations-'));
  try {
    cpSync(migrations, copy, { recursive: true });
    const known = new Set(readdirSync(copy));
    const made = spawnSync(
      process.execPath,
      [path.join(root, 'node_modules/drizzle-kit/bin.cjs'), 'generate', '--config', config],
      {
        cwd: root,
        encoding: 'utf8',
        // drizzle-kit accepts only a folder relative to the project
        env: { ...process.env, MIGRATIONS_OUT: path.relative(root, copy) },
      },
    );
    if (made.status !== 0) throw new Error(`drizzle-kit generate failed:\n${made.stdout}${made.stderr}`);
    const added = readdirSync(copy).filter((name) => !known.has(name) && name.endsWith('.sql'));
    return added.map((name) => readFileSync(path.join(copy, name), 'utf8')).join('\n');
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const missing = findMissingMigration();
  if (missing) {
    process.stderr.write(
      `The schema has changed without a migration. Run npm run migrations:generate. It would add:\n${missing}\n`,
    );
    process.exitCode = 1;
  }
}
