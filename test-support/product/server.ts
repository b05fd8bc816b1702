/** The whole product in this process, on a free port, with a test database and its own folder. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseEnv } from '#platform/env.ts';
import { startServer } from '#server/run-server.ts';
import { createTestDatabase } from '../database.ts';

export interface TestServer {
  /** E.g. `http://localhost:40123`. */
  address: string;
  databaseUrl: string;
  dataDir: string;
  /** Everything logged so far. */
  readLog(): string;
  close(): Promise<void>;
}

/** Real database, real storage folder, real typesetter; log lines go to the folder as usual. */
export async function startTestServer(settings: Record<string, string> = {}): Promise<TestServer> {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'inkproof-server-'));
  const env = parseEnv({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    SECRET_KEY: 'a key for tests, 32 characters or more',
    ...settings,
  });
  const server = await startServer(env, { logOutput: { write: () => {} } });
  const logs = path.join(dataDir, 'logs');
  return {
    address: server.listensAt ?? '',
    databaseUrl: env.DATABASE_URL ?? database.url,
    dataDir,
    readLog: () =>
      readdirSync(logs)
        .map((name) => readFileSync(path.join(logs, name), 'utf8'))
        .join(''),
    async close() {
      await server.close();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
