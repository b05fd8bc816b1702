// The operator's view of credits: the real commands on a separate installation, without a server.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test-support/database.ts';
import { createAccountWithCredits } from '../../../test-support/money/credits.ts';
import { runCommandHere } from '../../../test-support/product/run-command.ts';
import { releasePages, reservePages, settlePages } from '../../credits/index.ts';
import type { OpenedDatabase } from '../../database/database.ts';

let database: OpenedDatabase;
let dataDir: string;
let ada: string;
let email: string;
const conversionId = '5e0c5a52-6f1e-4f0e-9c44-1a2b3c4d5e6f';

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'inkproof-credits-'));
  chmodSync(dataDir, 0o711);
  ada = await createAccountWithCredits(database, { conversion: 10, assistant: 5 });
  email = `ada-${ada}@example.com`;
});
afterAll(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const credits = (...args: string[]) =>
  runCommandHere(['credits', ...args], {
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    SECRET_KEY: 'a key for tests, 32 characters or more',
  });

test('grant works once per key, prints the balance, and rejects invalid input', async () => {
  const grant = [
    'grant',
    email,
    '--pages',
    '60',
    '--assistant',
    '1',
    '--reason',
    'a workshop',
    '--key',
    'w1',
  ];
  expect(await credits(...grant)).toEqual({
    code: 0,
    stdout: `Granted ${email} 60 pages and 1 AI conversation. It has 70 pages and 6 AI conversations.\n`,
    stderr: '',
  });
  expect((await credits(...grant)).stdout).toBe(
    'That was already granted; nothing has changed. It has 70 pages and 6 AI conversations.\n',
  );
  const refusals: [string[], RegExp][] = [
    [
      ['grant', email, '--pages', '61', '--key', 'w1'],
      /^This key has already been used for something else\./,
    ],
    [['grant', email], /^Say what to grant/],
    [['grant', email, '--pages', '-3'], /whole number from 1 to 1000000/],
    [['grant', email, '--pages', '1.5'], /whole number/],
    [
      ['grant', 'eve@example.com', '--pages', '1'],
      /^There is no account with the address eve@example\.com\./,
    ],
  ];
  for (const [args, sentence] of refusals) {
    const { code, stderr } = await credits(...args);
    expect([args, code, stderr]).toEqual([args, 1, expect.stringMatching(sentence)]);
  }
});

test('ledger shows each entry with its cause and the balance after it', async () => {
  await database.db.transaction(async (tx) => {
    await reservePages(tx, { userId: ada, conversionId, pages: 5 });
    await releasePages(tx, { conversionId, pages: [4] });
    await settlePages(tx, { conversionId, pages: [1, 2, 3, 5] });
  });
  const { stdout } = await credits('ledger', email);
  const date = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g;
  expect(stdout.replaceAll(date, '2026-01-02 03:04:05')).toBe(
    [
      'date (UTC)           kind        pages  AI  pages left  AI left  cause',
      '2026-01-02 03:04:05  adjustment    +10  +5          10        5  reason=a test',
      '2026-01-02 03:04:05  grant         +60  +1          70        6  by=operator reason=a workshop',
      `2026-01-02 03:04:05  reserve        -5   0          65        6  conversion=${conversionId}`,
      `2026-01-02 03:04:05  release        +1   0          66        6  pages=4 conversion=${conversionId}`,
      `2026-01-02 03:04:05  settle          0   0          66        6  pages=1-3,5 total=4 conversion=${conversionId}`,
      '',
    ].join('\n'),
  );
  const lines = (await credits('ledger', email, '--json')).stdout.trim().split('\n');
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({
    kind: 'settle',
    balance: { conversion: 66, assistant: 6 },
  });
});

test('check agrees, and lists what was changed behind the ledger’s back', async () => {
  const good = await credits('check');
  expect(good).toEqual({
    code: 0,
    stdout: 'Everything agrees: 1 balance, 5 entries, 4 pages in the total.\n',
    stderr: '',
  });
  await database.pool.query('ALTER TABLE user_credits DISABLE TRIGGER user_credits_guard');
  await database.pool.query('UPDATE user_credits SET conversion_credits = 1000');
  await database.pool.query('UPDATE page_conversion_totals SET net_pages = 7');
  await database.pool.query("UPDATE private.credit_reservations SET paid = '{1,2}'");
  const bad = await credits('check');
  expect([bad.code, bad.stdout]).toEqual([
    1,
    [
      `account ${ada}: the balance says 1000 pages, its entries 66`,
      `account ${ada}: work ${conversionId} holds or has used 2 credits, its entries have taken 4`,
      'page total: it says 7, the entries 4',
      '',
    ].join('\n'),
  ]);
});
