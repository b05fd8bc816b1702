/** A separate product for a flow, in addition to the two that every run starts. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { compileCache } from '../../../test-support/product/compile-cache.ts';
import { main } from './addresses.ts';

export interface OtherProduct {
  address: typeof main;
  /** Its data folder. */
  dataDir: string;
  close: () => Promise<void>;
}

/** How long a product may take to respond, in ms: a database is created first. */
const startLimitMs = 120_000;

interface StartOptions {
  /** Fills the data folder before the product starts. */
  prepare?: (dataDir: string) => void;
}

export async function startProduct(
  settings: Record<string, string>,
  { prepare }: StartOptions = {},
): Promise<OtherProduct> {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'inkproof-e2e-other-'));
  const address = { ...main, port, url, apiUrl: url, dataDirFile: path.join(dataDir, 'folder.txt') };
  writeFileSync(address.dataDirFile, dataDir);
  prepare?.(dataDir);
  const server = spawn(process.execPath, ['server/cli/main.ts', 'serve'], {
    cwd: path.resolve(import.meta.dirname, '../../..'),
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...compileCache,
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      AUTH_LIMIT_FACTOR: '1000',
      ...settings,
    },
  });
  const close = async () => {
    await stop(server);
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(`${url}/readyz`, server);
  } catch (error) {
    await close();
    throw error;
  }
  return { address, dataDir, close };
}

/** Several workers start products at the same time. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function waitUntilReady(address: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + startLimitMs;
  while (Date.now() < deadline && server.exitCode === null) {
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the product with settings of its own did not start');
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
}
