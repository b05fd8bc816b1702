// What a change costs, over HTTP on the whole product. Scripted: the model's vendor, on loopback.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type IdentityServer,
  startIdentityServer,
  type TestAccount,
} from '../../test-support/product/identity.ts';
import { startVendor, type Vendor, type VendorReply } from '../../test-support/stand-ins/vendor-stand-in.ts';
import { creditsLeft, ledgerOf } from './testing/paid.ts';

const latex = '\\documentclass{article}\n\\begin{document}\nThe sum is $1+1=3$.\n\\end{document}\n';
const change = (find: string, replace: string): VendorReply => ({
  content: { edits: [{ find, replace }], latex: null, declined: null },
});

let vendor: Vendor;
let reply: VendorReply;
let product: IdentityServer;
let ada: TestAccount;

beforeAll(async () => {
  vendor = await startVendor(() => reply);
  product = await startIdentityServer({ ROLES: 'web', AI_BASE_URL: vendor.url, AI_API_KEY: 'key' });
});
afterAll(async () => {
  await product?.close();
  await vendor?.close();
});
beforeEach(async () => {
  ada = await product.createAccount();
  reply = change('3', '2');
});

interface Request {
  account?: TestAccount | null;
  body?: object;
  signal?: AbortSignal;
}

const ask = ({ account = ada, body = { latex, feedback: 'mend the sum' }, signal }: Request = {}) =>
  product.call(account, 'POST', '/request-change', body, signal);

const left = () => creditsLeft(product, ada);
const ledger = () => ledgerOf(product, ada);

test('a change costs one conversation, and says so in the ledger', async () => {
  const answer = await ask();
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ latex: expect.stringContaining('1+1=2') });
  expect(await left()).toBe(4);
  expect(await ledger()).toEqual([
    ['reserve', -1],
    ['settle', 0],
  ]);
});

describe('nothing is charged for', () => {
  const answers: [string, VendorReply, number][] = [
    [
      'a change that the model declines',
      { content: { edits: null, latex: null, declined: 'No change.' } },
      400,
    ],
    ['a change that does not compile', change('$1+1=3$', '\\undefined'), 422],
  ];
  test.each(answers)('%s', async (_, scripted, status) => {
    reply = scripted;
    expect((await ask()).status).toBe(status);
    expect(await left()).toBe(5);
    expect((await ledger()).at(-1)).toEqual(['release', 1]);
  });

  test('an invalid request: the ledger is not touched', async () => {
    expect((await ask({ body: { latex: 7 } })).status).toBe(400);
    expect(await ledger()).toEqual([]);
  });

  test('a change whose client disconnects before the answer', async () => {
    reply = { ...change('3', '2'), delayMs: 3_000 };
    const leaving = new AbortController();
    const aborted = expect(ask({ signal: leaving.signal })).rejects.toThrow();
    await expect.poll(left, { timeout: 20_000 }).toBe(4);
    leaving.abort();
    await aborted;
    await expect.poll(left, { timeout: 20_000 }).toBe(5);
  });
});

test('without a session no model is called', async () => {
  const before = vendor.requests.length;
  const answer = await ask({ account: null });
  expect([answer.status, (await answer.json()).code]).toEqual([401, 'UNAUTHORIZED']);
  expect(vendor.requests.length).toBe(before);
});

test('the last conversation, requested ten times concurrently, is used once', async () => {
  await product.sql("SELECT private.post_credit_entry($1, 'adjustment', 0, -4, '{}', $2)", [
    ada.id,
    `test:${ada.id}`,
  ]);
  reply = { ...change('3', '2'), delayMs: 1_000 };
  const before = vendor.requests.length;
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask()));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(402)]);
  const refused = answers.find(({ status }) => status === 402)!;
  expect(await refused.json()).toEqual({
    code: 'INSUFFICIENT_CREDITS',
    error: '',
    source: 'user',
    kind: 'assistant',
    required: 1,
    available: 0,
  });
  expect(vendor.requests.length).toBe(before + 1);
  expect(await left()).toBe(0);
});

// last: no model is called for a while after this
test('a vendor that rejects the key costs nobody anything, and is not called again by the next request', async () => {
  reply = { status: 401 };
  const before = vendor.requests.length;
  for (let time = 0; time < 2; time++) {
    const answer = await ask();
    expect([answer.status, (await answer.json()).code]).toEqual([503, 'AI_UNAVAILABLE']);
    expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/);
  }
  expect(vendor.requests.length).toBe(before + 1);
  expect(await left()).toBe(5);
  expect((await ledger()).at(-1)).toEqual(['release', 1]);
});
