// What was acknowledged outlives the process: saves that a killed server answered are there when it comes back.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SavedDocument, Versions } from '#shared/api/library.ts';
import {
  type IdentityServer,
  sessionOf,
  startIdentityServer,
  type TestAccount,
} from '../../test-support/identity.ts';
import { type ServeProcess, startServeProcess } from '../../test-support/serve-process.ts';

const acknowledged = 100;

let product: IdentityServer;
let ada: TestAccount;
let dataDir: string;
beforeAll(async () => {
  product = await startIdentityServer();
  ada = await product.createAccount();
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'inkproof-kills-'));
});
afterAll(async () => {
  await product?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function call<Body>(address: string, method: string, target: string, body?: object): Promise<Body> {
  const answer = await fetch(new URL(`/api/v1${target}`, address), {
    method,
    headers: {
      Authorization: `Bearer ${sessionOf(ada.client).access_token}`,
      'Content-Type': 'application/json',
    },
    body: body && JSON.stringify(body),
  });
  expect(answer.status).toBeLessThan(300);
  return (await answer.json()) as Body;
}

/** A server of its own over the same database, which can be killed. Its address is that of the one that gave the token. */
async function start(): Promise<ServeProcess & { at: string }> {
  const port = await findFreePort();
  const server = await startServeProcess({
    DATABASE_URL: product.databaseUrl,
    DATA_DIR: dataDir,
    SECRET_KEY: 'a key for tests, 32 characters or more',
    PUBLIC_URL: product.url,
    PORT: String(port),
    ROLES: 'web',
  });
  return { ...server, at: `http://127.0.0.1:${port}` };
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

test('a hundred acknowledged saves are all there after the server was killed while it saved', async () => {
  const { id } = await call<SavedDocument>(product.address, 'POST', '/documents', { latex: 'line 0' });
  const server = await start();
  const { at } = server;
  const lines = ['line 0'];
  let version = 1;
  for (let save = 1; save <= acknowledged; save++) {
    const latex = [...lines, `line ${save}`].join('\n');
    ({ version } = await call<{ version: number }>(at, 'PUT', `/documents/${id}/latex`, {
      base_version: version,
      latex,
    }));
    lines.push(`line ${save}`);
  }
  // one more is on its way when it dies: it may be there or not, and is whole if it is
  const unanswered = call(at, 'PUT', `/documents/${id}/latex`, {
    base_version: version,
    latex: [...lines, 'last'].join('\n'),
  }).catch(() => null);
  await server.stop('SIGKILL');
  await unanswered;

  const again = await start();
  const found = await call<SavedDocument>(again.at, 'GET', `/documents/${id}`);
  expect([lines.join('\n'), [...lines, 'last'].join('\n')]).toContain(found.latex);
  const { total } = await call<Versions>(again.at, 'GET', `/documents/${id}/versions?limit=1`);
  expect(total).toBeGreaterThanOrEqual(acknowledged + 1);
  await again.stop();
});
