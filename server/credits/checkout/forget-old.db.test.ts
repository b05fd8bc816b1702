import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenedDatabase } from '#server/database/database.ts';
import { createTestDatabase } from '../../../test-support/database.ts';
import { forgetOld } from './forget-old.ts';

let database: OpenedDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

const listIds = async (table: string, column: string): Promise<string[]> => {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT ${column} AS id FROM private.${table} ORDER BY 1`,
  );
  return rows.map(({ id }) => id);
};

test('payments of another shop are deleted after a month, events after three; those of a purchase stay', async () => {
  await database.pool.query(`
    INSERT INTO private.purchases
        (mode, bundle, conversion, assistant, price, currency, country, state, payment_intent, created_at)
      VALUES ('test', 'starter_pack', 60, 30, 490, 'eur', 'FR', 'paid', 'pi_ours', now() - interval '1 year');
    INSERT INTO private.payments (payment_intent, refunded_seen, currency, seen_at) VALUES
      ('pi_ours', 0, 'eur', now() - interval '1 year'),
      ('pi_theirs', 0, 'eur', now() - interval '31 days'),
      ('pi_new', 0, 'eur', now() - interval '29 days');
    INSERT INTO private.payment_refunds (id, payment_intent, amount, currency, state, created_at) VALUES
      ('re_ours', 'pi_ours', 100, 'eur', 'succeeded', now() - interval '1 year'),
      ('re_theirs', 'pi_theirs', 100, 'eur', 'succeeded', now() - interval '31 days');
    INSERT INTO private.payment_disputes (id, payment_intent, amount, currency, state, created_at) VALUES
      ('du_ours', 'pi_ours', 100, 'eur', 'open', now() - interval '1 year'),
      ('du_theirs', 'pi_theirs', 100, 'eur', 'open', now() - interval '31 days');
    INSERT INTO private.stripe_events (id, type, outcome, created_at, received_at) VALUES
      ('evt_old', 'charge.refunded', 'applied', now() - interval '91 days', now() - interval '91 days'),
      ('evt_young', 'charge.refunded', 'applied', now() - interval '91 days', now() - interval '89 days')`);
  await forgetOld(database.db);
  expect(await listIds('payments', 'payment_intent')).toEqual(['pi_new', 'pi_ours']);
  expect(await listIds('payment_refunds', 'id')).toEqual(['re_ours']);
  expect(await listIds('payment_disputes', 'id')).toEqual(['du_ours']);
  expect(await listIds('stripe_events', 'id')).toEqual(['evt_young']);
});
