// The operator's view of money: the commands, on purchases of the local checkout and of a Stripe stand-in on
// loopback.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test-support/database.ts';
import { createAccountWithCredits } from '../../../test-support/money/credits.ts';
import { runCommandHere } from '../../../test-support/product/run-command.ts';
import { type StripeStandIn, startStripeStandIn } from '../../../test-support/stand-ins/stripe-stand-in.ts';
import { movePageTotal, postEntry, readBalance } from '../../credits/index.ts';
import type { OpenedDatabase } from '../../database/database.ts';

let database: OpenedDatabase;
let dataDir: string;
let standIn: StripeStandIn;
let settings: Record<string, string>;
let atStripe: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'inkproof-money-'));
  chmodSync(dataDir, 0o711);
  standIn = await startStripeStandIn();
  settings = {
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    SECRET_KEY: 'a key for tests, 32 characters or more',
  };
  atStripe = {
    ...settings,
    STRIPE_SECRET_KEY: standIn.secretKey,
    STRIPE_WEBHOOK_SECRET: standIn.webhookSecret,
    STRIPE_API_BASE: standIn.url,
  };
});
afterAll(async () => {
  await standIn?.close();
  await database?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const credits = (env: Record<string, string>, ...args: string[]) => runCommandHere(['credits', ...args], env);

/** A Starter bundle bought in test mode. */
async function buyLocally(): Promise<{ userId: string; email: string; purchase: string }> {
  const userId = await createAccountWithCredits(database, { conversion: 70, assistant: 35 });
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO private.purchases (user_id, mode, bundle, conversion, assistant, country, currency, price, amount, payment_intent, state, paid_at)
     VALUES ($1, 'local', 'starter_pack', 60, 30, 'FR', 'eur', 490, 490, 'pi_local_' || gen_random_uuid(), 'paid', '2026-03-05') RETURNING id`,
    [userId],
  );
  const purchase = rows[0]!.id;
  // the events of a refund name the payment as the local page does
  await database.pool.query("UPDATE private.purchases SET payment_intent = 'pi_local_' || id WHERE id = $1", [
    purchase,
  ]);
  await database.pool.query(
    `SELECT private.post_credit_entry($1::uuid, 'adjustment', -60, -30, '{}', 'undo:' || $1::uuid),
            private.post_credit_entry($1::uuid, 'purchase', 60, 30, jsonb_build_object('purchase', $2::text), 'purchase:' || $2::text || ':1')`,
    [userId, purchase],
  );
  return { userId, email: `ada-${userId}@example.com`, purchase };
}

/** A Starter bundle paid at Stripe, whose events have not arrived. */
async function buyUnheard(): Promise<{ userId: string; purchase: string; session: string }> {
  const userId = await createAccountWithCredits(database, { conversion: 10, assistant: 5 });
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO private.purchases (user_id, mode, bundle, conversion, assistant, country, currency, price)
     VALUES ($1, 'test', 'starter_pack', 60, 30, 'FR', 'eur', 490) RETURNING id`,
    [userId],
  );
  const purchase = rows[0]!.id;
  const metadata = { purchase_id: purchase };
  const stripe = new Stripe(standIn.secretKey, standIn.clientOptions);
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [
      { quantity: 1, price_data: { currency: 'eur', unit_amount: 490, product_data: { name: 'Starter' } } },
    ],
    client_reference_id: userId,
    metadata,
    payment_intent_data: { metadata },
    success_url: 'http://localhost/yes',
  });
  standIn.pay(session.id);
  return { userId, purchase, session: session.id };
}

test('refund returns part and then the rest in test mode, and takes the credits back', async () => {
  const { userId, email, purchase } = await buyLocally();
  expect(await credits(settings, 'refund', email, '--amount', '5.00')).toMatchObject({
    code: 1,
    stderr: 'Only 4.90 EUR of it is left to refund.\n',
  });
  expect(await credits(settings, 'refund', email, '--amount', '1.00')).toEqual({
    code: 0,
    stdout: `Refunded 1.00 EUR of purchase ${purchase} in test mode. The credits are taken back.\n`,
    stderr: '',
  });
  expect(await readBalance(database.db, userId)).toEqual({ conversion: 58, assistant: 29 });
  expect((await credits(settings, 'sales', '--test')).stdout).toMatch(
    /^2026-03 +EUR +1 +4\.90 +1\.00 +0\.00 +3\.90$/m,
  );
  expect((await credits(settings, 'refund', purchase)).code).toBe(0);
  expect(await readBalance(database.db, userId)).toEqual({ conversion: 10, assistant: 5 });
  expect((await credits(settings, 'refund', purchase)).stderr).toBe(
    'It has already been refunded in full.\n',
  );
  expect((await credits(settings, 'sales')).stdout).toBe('No sales yet.\n');
  expect(await credits(settings, 'check')).toMatchObject({ code: 0 });
});

test('reconcile finds payments and refunds whose events were lost, credits them once, and then agrees', async () => {
  const { userId, purchase, session } = await buyUnheard();
  standIn.refund(session, 100);
  const first = await credits(atStripe, 'reconcile');
  expect(first.stdout).toContain(
    `purchase ${purchase}: open → paid, 490 eur, refunds 100 succeeded, refunded on the charge 100\n`,
  );
  expect(first.stdout).toMatch(/1 differed and has been brought in line\.\n$/);
  expect(await readBalance(database.db, userId)).toEqual({ conversion: 58, assistant: 29 });
  expect((await credits(atStripe, 'reconcile')).stdout).toMatch(/everything agrees\.\n$/);
  expect(await readBalance(database.db, userId)).toEqual({ conversion: 58, assistant: 29 });
  expect((await credits(settings, 'reconcile')).stderr).toBe(
    'There is nothing to compare with: STRIPE_SECRET_KEY is not set.\n',
  );
});

test('refund at Stripe is created once, even if repeated, and leaves the credits to its event', async () => {
  const { userId, purchase, session } = await buyUnheard();
  await credits(atStripe, 'reconcile');
  const refund = () => credits(atStripe, 'refund', purchase, '--amount', '1.00');
  expect((await refund()).stdout).toBe(
    `Stripe refunds 1.00 EUR of purchase ${purchase}. The credits are taken back when its event arrives.\n`,
  );
  // its event has not come yet: the same refund, not a second one
  await refund();
  const charge = standIn.account.chargeOf(session);
  expect(charge.amount_refunded).toBe(100);
  expect(await readBalance(database.db, userId)).toEqual({ conversion: 70, assistant: 35 });
  await credits(atStripe, 'reconcile');
  expect(await readBalance(database.db, userId)).toEqual({ conversion: 58, assistant: 29 });
});

test('pages that came out badly are given back once per key, and leave the total', async () => {
  const userId = await createAccountWithCredits(database, { conversion: 1 });
  const email = `ada-${userId}@example.com`;
  await database.db.transaction(async (tx) => {
    await postEntry(tx, { userId, kind: 'settle', cause: { total: 5 }, key: 'delivered' });
    await movePageTotal(tx, 5);
  });
  const give = () => credits(settings, 'refund', email, '--pages', '3', '--key', 'blurred');
  expect((await give()).stdout).toBe(`Gave ${email} 3 pages back.\n`);
  expect((await give()).stdout).toBe('That was already given back; nothing has changed.\n');
  expect((await readBalance(database.db, userId))?.conversion).toBe(4);
  const { rows } = await database.pool.query('SELECT net_pages::int AS pages FROM page_conversion_totals');
  expect(rows).toEqual([{ pages: 2 }]);
  const more = await credits(settings, 'refund', email, '--pages', '3', '--key', 'blurred, too');
  expect(more.stderr).toBe(
    `Only pages that were delivered can be given back, and ${email} has 2. To give more, use: credits grant\n`,
  );
  expect((await readBalance(database.db, userId))?.conversion).toBe(4);
});

test('check lists a payment that did not match', async () => {
  const { purchase } = await buyUnheard();
  await database.pool.query('UPDATE private.purchases SET price = 790 WHERE id = $1', [purchase]);
  await credits(atStripe, 'reconcile');
  const { code, stdout } = await credits(atStripe, 'check');
  expect(code).toBe(1);
  expect(stdout).toContain(
    `purchase ${purchase}: a payment that does not fit it (price 490 where 790 was expected); refund it, or grant credits by hand`,
  );
});
