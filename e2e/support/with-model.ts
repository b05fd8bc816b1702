/**
 * A product with an AI model, for the flows that need one: beside the two that every run starts, with a data folder of
 * its own. What the model says is scripted (`test-support/vendor-stand-in.ts`); all the rest is real.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startVendor, type VendorReply, type VendorRequest } from '../../test-support/vendor-stand-in.ts';
import { createAccount, main, signIn } from './accounts.ts';

export type ModelScript = (request: VendorRequest) => VendorReply;

export interface ModelProduct {
  address: typeof main;
  /** What the model says from now on. */
  script: (script: ModelScript) => void;
  requests: VendorRequest[];
  close: () => Promise<void>;
}

/** How long a product may take until it answers, in ms: a database is made first. */
const startLimitMs = 120_000;

export async function startModelProduct(): Promise<ModelProduct> {
  let script: ModelScript = () => ({ content: 'Nothing was scripted.' });
  const vendor = await startVendor((request) => script(request));
  const port = main.port + 5;
  const url = `http://localhost:${port}`;
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'inkproof-e2e-model-'));
  const address = { ...main, port, url, apiUrl: url, dataDirFile: path.join(dataDir, 'folder.txt') };
  writeFileSync(address.dataDirFile, dataDir);
  const server = spawn(process.execPath, ['server/main.ts'], {
    cwd: path.resolve(import.meta.dirname, '../..'),
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      AUTH_LIMIT_FACTOR: '1000',
      AI_BASE_URL: vendor.url,
      AI_API_KEY: 'key',
    },
  });
  const close = async () => {
    await stop(server);
    await vendor.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(`${url}/readyz`, server);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    address,
    script: (next) => {
      script = next;
    },
    requests: vendor.requests,
    close,
  };
}

async function waitUntilReady(address: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + startLimitMs;
  while (Date.now() < deadline && server.exitCode === null) {
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the product with a model did not start');
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
}

/** An account with a document that it keeps. */
export async function createWriter(
  address: typeof main,
  latex: string,
): Promise<{ email: string; token: string; documentId: string }> {
  const email = await createAccount({ address });
  const { access_token: token } = (await signIn(address, email)) as { access_token: string };
  const answer = await fetch(`${address.apiUrl}/api/v1/documents`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: 'Sums', latex }),
  });
  if (!answer.ok) throw new Error(`keeping a document answered ${answer.status}: ${await answer.text()}`);
  const { id } = (await answer.json()) as { id: string };
  return { email, token, documentId: id };
}
