// A server killed in the middle of an answer: nothing is charged, the conversation says so, and the same
// request is answered when it is sent again. Scripted: the model's vendor, on loopback.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Conversation } from '#shared/api/assistant.ts';
import {
  bearerOf,
  type IdentityServer,
  startIdentityServer,
  type TestAccount,
  waitUntil,
} from '../../../test-support/product/identity.ts';
import { type ServeProcess, startServeProcess } from '../../../test-support/product/serve-process.ts';
import { startVendor, type Vendor } from '../../../test-support/stand-ins/vendor-stand-in.ts';
import { ledgerOf } from '../testing/paid.ts';

const latex = '\\documentclass{article}\n\\begin{document}\nThe sum is $1+1=3$.\n\\end{document}\n';
const content = 'I mend it.\n\n<change-find>\n1+1=3\n</change-find>\n<change-to>\n1+1=2\n</change-to>\n';

let vendor: Vendor;
let pieceDelayMs = 0;
let product: IdentityServer;
let ada: TestAccount;
let dataDir: string;
const settings = () => ({ AI_BASE_URL: vendor.url, AI_API_KEY: 'key' });

beforeAll(async () => {
  vendor = await startVendor(() => ({ content, pieceDelayMs }));
  product = await startIdentityServer(settings());
  ada = await product.createAccount();
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'inkproof-turns-'));
});
afterAll(async () => {
  await product?.close();
  await vendor?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A separate server on the same database, which can be killed. */
async function start(): Promise<ServeProcess & { at: string }> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const server = await startServeProcess({
    DATABASE_URL: product.databaseUrl,
    DATA_DIR: dataDir,
    SECRET_KEY: 'a key for tests, 32 characters or more',
    PUBLIC_URL: product.url,
    PORT: String(port),
    ROLES: 'web',
    ...settings(),
  });
  return { ...server, at: `http://127.0.0.1:${port}` };
}

function call(address: string, target: string, json?: object): Promise<Response> {
  return fetch(new URL(`/api/v1/documents${target}`, address), {
    method: json ? 'POST' : 'GET',
    headers: { ...bearerOf(ada.client), 'Content-Type': 'application/json' },
    body: json && JSON.stringify(json),
  });
}

const ledger = () => ledgerOf(product, ada);

test('the credit is returned, and the same request, repeated, is answered and charged once', async () => {
  const { id } = (await (await call(product.address, '', { latex })).json()) as { id: string };
  const turn = { request_id: randomUUID(), message: 'Mend the sum', latex, base_version: 1 };
  const server = await start();
  pieceDelayMs = 200;
  const response = await call(server.at, `/${id}/conversation`, turn);
  await response.body!.getReader().read();
  await waitUntil(async () => expect(await ledger()).toEqual([['reserve', -1]]));
  await server.stop('SIGKILL');

  // until its lease ends it may still be alive; then whoever reads the turn ends it
  const read = async () =>
    Conversation.parse(await (await call(product.address, `/${id}/conversation`)).json()).turns;
  expect(await read()).toMatchObject([{ state: 'running' }]);
  await waitUntil(async () => expect(await read()).toMatchObject([{ state: 'interrupted' }]));
  expect(await ledger()).toEqual([
    ['reserve', -1],
    ['release', 1],
  ]);

  pieceDelayMs = 0;
  const again = await (await call(product.address, `/${id}/conversation`, turn)).text();
  expect(again).toContain('"state":"changed"');
  expect(await read()).toMatchObject([{ state: 'changed', change: { latex: latex.replace('3', '2') } }]);
  expect((await ledger()).slice(2)).toEqual([
    ['reserve', -1],
    ['settle', 0],
  ]);
});

test('a server asked to stop returns the credit first', async () => {
  const before = (await ledger()).length;
  const { id } = (await (await call(product.address, '', { latex })).json()) as { id: string };
  const server = await start();
  // longer than a stopping server waits for anything
  pieceDelayMs = 3_000;
  const turn = { request_id: randomUUID(), message: 'Mend the sum', latex, base_version: 1 };
  const response = await call(server.at, `/${id}/conversation`, turn);
  const reader = response.body!.getReader();
  await reader.read();
  await waitUntil(async () => expect((await ledger()).length).toBe(before + 1));
  await server.stop('SIGTERM');
  expect((await ledger()).at(-1)).toEqual(['release', 1]);
  const { turns } = Conversation.parse(await (await call(product.address, `/${id}/conversation`)).json());
  expect(turns).toMatchObject([{ state: 'interrupted' }]);
});

test('an answer in another process can be followed and stopped from here', async () => {
  const { id } = (await (await call(product.address, '', { latex })).json()) as { id: string };
  const server = await start();
  pieceDelayMs = 100;
  const turn = { request_id: randomUUID(), message: 'Mend the sum', latex, base_version: 1 };
  const first = await call(server.at, `/${id}/conversation`, turn);
  const followed = await (await call(product.address, `/${id}/conversation`, turn)).text();
  expect(followed).toContain('"state":"changed"');
  expect(await first.text()).toContain('"state":"changed"');
  const paid = await ledger();
  expect(paid.slice(-2)).toEqual([
    ['reserve', -1],
    ['settle', 0],
  ]);

  pieceDelayMs = 300;
  const second = { ...turn, request_id: randomUUID() };
  const streamed = await call(server.at, `/${id}/conversation`, second);
  const stopped = await product.call(
    ada,
    'POST',
    `/documents/${id}/conversation/${second.request_id}/cancel`,
  );
  expect(await stopped.json()).toMatchObject({ state: 'cancelled' });
  // the answering process learns of it at its next lease renewal
  await streamed.text();
  expect((await ledger()).slice(paid.length)).toEqual([
    ['reserve', -1],
    ['release', 1],
  ]);
  await server.stop();
});
