// Acknowledged saves can be found even if indexing processes are killed.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SavedDocument } from '#shared/api/library.ts';
import type { SearchResults } from '#shared/api/search.ts';
import {
  type IdentityServer,
  startIdentityServer,
  type TestAccount,
} from '../../../../test-support/product/identity.ts';
import { startServeProcess } from '../../../../test-support/product/serve-process.ts';

let product: IdentityServer;
let ada: TestAccount;
let dataDir: string;
beforeAll(async () => {
  // it answers and saves; the workers below index
  product = await startIdentityServer({ ROLES: 'web' });
  ada = await product.createAccount();
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'inkproof-search-kills-'));
});
afterAll(async () => {
  await product?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function call<Body>(method: string, target: string, body?: object): Promise<Body> {
  const answer = await product.call(ada, method, target, body);
  expect(answer.status).toBeLessThan(300);
  return (await answer.json()) as Body;
}

const startWorker = () =>
  startServeProcess({
    DATABASE_URL: product.databaseUrl,
    DATA_DIR: dataDir,
    SECRET_KEY: 'a key for tests, 32 characters or more',
    ROLES: 'worker',
  });

test('sixty documents, saved while three workers are killed one after the other', async () => {
  const ids: string[] = [];
  const expected: number[] = [];
  for (let round = 0; round < 3; round++) {
    const worker = await startWorker();
    for (let i = 0; i < 20; i++) {
      const number = round * 20 + i;
      const { id } = await call<SavedDocument>('POST', '/documents', { latex: `Number first${number}.` });
      ids.push(id);
      await call('PUT', `/documents/${id}/latex`, { base_version: 1, latex: `Number second${number}.` });
      expected.push(number);
      // it is working on some of them by now, and is killed
      if (i === 14) await sleep(900);
    }
    await worker.stop('SIGKILL');
  }
  const left = await product.sql('SELECT FROM private.search_due');
  expect(left.length).toBeGreaterThan(0);
  const last = await startWorker();
  await expect
    .poll(async () => (await product.sql('SELECT FROM private.search_due')).length, { timeout: 30_000 })
    .toBe(0);
  await last.stop();
  for (const number of expected) {
    const { documents } = await call<SearchResults>('GET', `/search?q=second${number}%20`);
    expect([number, documents.map(({ id }) => id)]).toEqual([number, [ids[number]]]);
  }
  const { total } = await call<SearchResults>('GET', '/search?q=first');
  expect(total).toBe(0);
});
