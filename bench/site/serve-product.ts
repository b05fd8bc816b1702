import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const root = path.resolve(import.meta.dirname, '../..');
const startMs = 120_000;

/**
 * The built product with its own data folder.
 * @throws Error if there is no build, or it does not become ready
 */
export async function serveProduct(): Promise<{
  url: string;
  /** For the command line. */
  dataDir: string;
  close: () => Promise<void>;
}> {
  if (!existsSync(path.join(root, 'build/client/__spa-fallback.html')))
    throw new Error('The web site has not been built: run npm run build first.');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'inkproof-bench-'));
  // traversable for the database's user, or the cluster would be put elsewhere and stay there
  await chmod(folder, 0o711);
  const dataDir = path.join(folder, 'data');
  const port = await findPort();
  const url = `http://localhost:${port}`;
  const { PATH, HOME } = process.env;
  const server = spawn(process.execPath, ['server/cli/main.ts', 'serve'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...{ PATH, HOME, PORT: String(port), PUBLIC_URL: url },
      ...{ DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    },
  });
  const close = async () => {
    if (server.exitCode === null) {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + startMs;
  while (!(await isReady(url))) {
    if (server.exitCode !== null || Date.now() > deadline) {
      await close();
      throw new Error('The product did not start.');
    }
    await wait(200);
  }
  return { url, dataDir, close };
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
}

export async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}
