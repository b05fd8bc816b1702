import { drizzle } from 'drizzle-orm/node-postgres';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test-support/database.ts';
import type { OpenedDatabase } from '../../../database/database.ts';
import { type AuthRig, startAuthRig } from '../testing.ts';
import { createSealer } from './seal.ts';
import { createSigningKeys } from './signing-keys.ts';

const logger = pino({ level: 'silent' });
let database: OpenedDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const open = (secret = 'one secret key, 32 characters long') =>
  createSigningKeys({
    db: drizzle(database.pool),
    sealer: createSealer({ present: secret, former: [] }),
    logger,
    tokenSeconds: 3600,
  });

test('processes that start together sign with one key', async () => {
  const keys = await Promise.all(Array.from({ length: 6 }, () => open().current()));
  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(1);
});

test('after a rotation the new key signs; the old one is still published, without its private part', async () => {
  const keys = open();
  const old = await keys.current();
  await keys.rotate();
  const next = await keys.current();
  expect(next.kid).not.toBe(old.kid);
  expect((await keys.publish()).keys.map((jwk) => jwk.kid)).toEqual([next.kid, old.kid]);
  for (const jwk of (await keys.publish()).keys) expect(jwk).not.toHaveProperty('d');
  const { rows } = await database.pool.query(
    'SELECT kid FROM auth.signing_keys WHERE sealed_private_jwk IS NOT NULL',
  );
  expect(rows).toEqual([{ kid: next.kid }]);
  // it is removed once its last token has expired
  await keys.tend();
  expect(await open().find(old.kid)).not.toBeNull();
  await database.pool.query(
    "UPDATE auth.signing_keys SET retired_at = now() - interval '2 hours' WHERE kid = $1",
    [old.kid],
  );
  await keys.tend();
  expect(await open().find(old.kid)).toBeNull();
});

test('a revoked key is no longer published, so that its tokens are rejected', async () => {
  const keys = open();
  const old = await keys.current();
  await keys.rotate({ shouldRevoke: true });
  expect(await open().find(old.kid)).toBeNull();
  expect((await keys.publish()).keys).toHaveLength(1);
});

test('an old key is replaced automatically, once, however many processes check', async () => {
  const keys = open();
  const old = await keys.current();
  await keys.tend();
  expect((await keys.current()).kid).toBe(old.kid);
  await database.pool.query("UPDATE auth.signing_keys SET created_at = now() - interval '91 days'");
  await Promise.all([open().tend(), open().tend(), open().tend()]);
  const { rows } = await database.pool.query('SELECT kid FROM auth.signing_keys WHERE retired_at IS NULL');
  expect(rows).toHaveLength(1);
  expect(rows[0].kid).not.toBe(old.kid);
});

test('with another SECRET_KEY the server starts with a new key; existing tokens stay valid', async () => {
  const old = await open().current();
  const keys = open('another secret key, 32 characters');
  expect((await keys.current()).kid).not.toBe(old.kid);
  expect(await keys.find(old.kid)).not.toBeNull();
});

test('users stay signed in across a rotation', async () => {
  const rig: AuthRig = await startAuthRig();
  try {
    const session = await rig.createUser('ada@example.com');
    const keys = createSigningKeys({
      db: drizzle(rig.sql),
      sealer: createSealer({ present: 'a key for tests, 32 characters or more', former: [] }),
      logger,
      tokenSeconds: 3600,
    });
    await keys.rotate();
    expect((await rig.call('GET', '/user', { token: session.access_token })).status).toBe(200);
    expect((await rig.refresh(session.refresh_token)).status).toBe(200);
  } finally {
    await rig.close();
  }
});
