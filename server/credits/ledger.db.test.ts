import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { OpenedDatabase } from '#server/database/database.ts';
import { createTestDatabase } from '../../test-support/database.ts';

let database: OpenedDatabase;
let ada: string;

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.pool.query(text, values)).rows as Row[];
const signUp = async (email: string, isConfirmed = false) => {
  const id = randomUUID();
  await query('INSERT INTO auth.users (id, email, email_confirmed_at) VALUES ($1, $2, $3)', [
    id,
    email,
    isConfirmed ? new Date() : null,
  ]);
  return id;
};
const balance = async (id: string) =>
  (
    await query(
      'SELECT conversion_credits AS pages, assistant_credits AS chats FROM user_credits WHERE user_id = $1',
      [id],
    )
  )[0];
const post = async (kind: string, pages: number, key: string = randomUUID(), id = ada) =>
  (
    await query<{ outcome: string }>(
      "SELECT outcome FROM private.post_credit_entry($1, $2, $3, 0, '{}', $4)",
      [id, kind, pages, key],
    )
  )[0]?.outcome;

beforeAll(async () => {
  database = await createTestDatabase();
  await query(
    "INSERT INTO private.settings (name, value) VALUES ('mailbox-key', $1) ON CONFLICT DO NOTHING",
    [randomBytes(32)],
  );
});
afterAll(() => database.close());
beforeEach(async () => {
  ada = await signUp(`ada-${randomUUID()}@example.com`, true);
});

test('a confirmed address gets 10 pages and 5 AI conversations; an unconfirmed one gets none yet', async () => {
  expect(await balance(ada)).toEqual({ pages: 10, chats: 5 });
  const bob = await signUp('bob@example.com');
  expect(await balance(bob)).toEqual({ pages: 0, chats: 0 });
  await query('UPDATE auth.users SET email_confirmed_at = now() WHERE id = $1', [bob]);
  await query('UPDATE auth.users SET email_confirmed_at = now() WHERE id = $1', [bob]);
  expect(await balance(bob)).toEqual({ pages: 10, chats: 5 });
});

test('a mailbox gets free credits once, however it is written and whatever happens to the account', async () => {
  const first = await signUp('grace.hopper@gmail.com', true);
  expect(await balance(first)).toEqual({ pages: 10, chats: 5 });
  for (const same of ['gracehopper@gmail.com', 'G.raceHopper@GoogleMail.com', 'gracehopper+two@gmail.com'])
    expect(await balance(await signUp(same, true)), same).toEqual({ pages: 0, chats: 0 });
  await query('DELETE FROM auth.users WHERE id = $1', [first]);
  expect(await balance(await signUp('grace.hopper@gmail.com', true))).toEqual({ pages: 0, chats: 0 });
  // other providers treat dots as significant
  expect(await balance(await signUp('grace.hopper@example.com', true))).toEqual({ pages: 10, chats: 5 });
  expect(await balance(await signUp('gracehopper@example.com', true))).toEqual({ pages: 10, chats: 5 });
});

test('two accounts of one mailbox confirmed concurrently: one of them gets the credits', async () => {
  const ids = await Promise.all(
    Array.from({ length: 10 }, (_, dots) => signUp(`${'.'.repeat(dots)}turing@gmail.com`)),
  );
  await Promise.all(
    ids.map((id) => query('UPDATE auth.users SET email_confirmed_at = now() WHERE id = $1', [id])),
  );
  const balances = await Promise.all(ids.map(balance));
  expect(balances.filter((one) => (one as { pages: number }).pages > 0)).toEqual([{ pages: 10, chats: 5 }]);
});

test('the hash of a mailbox reveals nothing without its key', async () => {
  const [row] = await query<{ mailbox_hash: Buffer }>(
    'SELECT mailbox_hash FROM private.granted_mailboxes LIMIT 1',
  );
  expect(row?.mailbox_hash).toHaveLength(32);
  const [same] = await query<{ same: boolean }>(
    "SELECT EXISTS (SELECT FROM private.granted_mailboxes WHERE mailbox_hash = sha256(convert_to('grace.hopper@example.com', 'UTF8'))) AS same",
  );
  expect(same?.same).toBe(false);
});

test('an entry changes the balance in the same transaction, once per key, and never below zero', async () => {
  expect(await post('purchase', 60, `bought-${ada}`)).toBe('posted');
  expect(await post('purchase', 60, `bought-${ada}`)).toBe('already');
  await expect(post('purchase', 61, `bought-${ada}`)).rejects.toThrow(/belongs to another credit entry/);
  expect(await post('reserve', -70)).toBe('posted');
  expect(await post('reserve', -1)).toBe('insufficient');
  expect(await balance(ada)).toEqual({ pages: 0, chats: 5 });
  await expect(
    query(
      "INSERT INTO credit_entries (user_id, kind, conversion, cause, idempotency_key) VALUES ($1, 'reserve', -1, '{}', 'x')",
      [ada],
    ),
  ).rejects.toThrow(/user_credits_conversion/);
  expect(await post('grant', 1, 'nobody', randomUUID())).toBe('no-account');
  await post('purchase', 5);
  await expect(post('grant', -1)).rejects.toThrow(/credit_entries_sign/);
  await expect(post('gift', 1)).rejects.toThrow(/credit_entries_kind/);
});

test('of thirty concurrent requests for the last credit, one gets it', async () => {
  await post('reserve', -9);
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => post('reserve', -1)));
  expect(outcomes.filter((outcome) => outcome === 'posted')).toHaveLength(1);
  expect(await balance(ada)).toEqual({ pages: 0, chats: 5 });
});

test('thirty deliveries of one event are one entry', async () => {
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => post('purchase', 60, `event-${ada}`)));
  expect(outcomes.filter((outcome) => outcome === 'posted')).toHaveLength(1);
  expect(await balance(ada)).toEqual({ pages: 70, chats: 5 });
});

test.each([
  ['an entry changed', "UPDATE credit_entries SET conversion = 1000 WHERE user_id = '%'"],
  ['an entry removed', "DELETE FROM credit_entries WHERE user_id = '%'"],
  ['an entry taken from its account', "UPDATE credit_entries SET user_id = NULL WHERE user_id = '%'"],
  ['the ledger emptied', 'TRUNCATE credit_entries'],
  ['a balance changed', "UPDATE user_credits SET conversion_credits = 1000 WHERE user_id = '%'"],
  ['a balance removed', "DELETE FROM user_credits WHERE user_id = '%'"],
  ['the balances emptied', 'TRUNCATE user_credits CASCADE'],
])('cannot be changed directly: %s', async (_, statement) => {
  await expect(query(statement.replace('%', ada))).rejects.toThrow(
    /never changed or removed|by a credit entry only/,
  );
  expect(await balance(ada)).toEqual({ pages: 10, chats: 5 });
});

test('deleting an account detaches its entries, and removes the balance', async () => {
  await post('purchase', 60, `purchase-${ada}`);
  const [purchase] = await query<{ id: string }>('SELECT id FROM credit_entries WHERE idempotency_key = $1', [
    `purchase-${ada}`,
  ]);
  await query('DELETE FROM auth.users WHERE id = $1', [ada]);
  expect(await balance(ada)).toBeUndefined();
  // nor in the key
  expect(
    await query('SELECT user_id, conversion, idempotency_key FROM credit_entries WHERE id = $1', [
      purchase!.id,
    ]),
  ).toEqual([{ user_id: null, conversion: 60, idempotency_key: `purchase-entry-${purchase!.id}` }]);
});

test('every balance is the sum of its entries', async () => {
  await Promise.all(
    Array.from({ length: 40 }, (_, n) => post(n % 3 ? 'reserve' : 'release', n % 3 ? -1 : 2)),
  );
  const wrong = await query(
    `SELECT user_id FROM user_credits balance
      WHERE conversion_credits <> (SELECT coalesce(sum(conversion), 0) FROM credit_entries entry WHERE entry.user_id = balance.user_id)
         OR assistant_credits <> (SELECT coalesce(sum(assistant), 0) FROM credit_entries entry WHERE entry.user_id = balance.user_id)`,
  );
  expect(wrong).toEqual([]);
});

test('the page total is one row and never negative', async () => {
  await expect(query('INSERT INTO page_conversion_totals (id) VALUES (2)')).rejects.toThrow(/one_row/);
  await expect(query('UPDATE page_conversion_totals SET net_pages = -1')).rejects.toThrow(/totals_net/);
  expect(await query('SELECT id, net_pages::int FROM page_conversion_totals')).toEqual([
    { id: 1, net_pages: 0 },
  ]);
});
