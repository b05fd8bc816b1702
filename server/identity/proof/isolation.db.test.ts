// Two people and a visitor read the same tables at the same time: everybody sees all of their own rows, and no
// others.
import { createClient } from '@supabase/supabase-js';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { createPool } from '#server/database/pool.ts';
import { runsWhole } from '../../../test-support/matrix.ts';
import {
  claimsOf,
  sessionOf,
  startIdentityServer,
  type TestAccount,
  waitUntil,
} from '../../../test-support/product/identity.ts';
import type { IdentityClient } from '../../../test-support/product/identity-client.ts';
import { createAccessTokens } from '../auth/tokens/access-tokens.ts';
import { createSealer } from '../auth/tokens/seal.ts';
import { createSigningKeys } from '../auth/tokens/signing-keys.ts';

const secretKey = 'a key for this file, 32 characters or more';
const product = await startIdentityServer({ SECRET_KEY: secretKey });
const ada = await product.createAccount();
const bob = await product.createAccount();
afterAll(() => product.close());

/** Sets a balance to this many pages by an entry in the ledger, which is the only way. */
const setCredits = (account: TestAccount, pages: number) =>
  product.sql(
    `select private.post_credit_entry($1, 'adjustment', $2 - conversion_credits, 0, '{"test": true}', gen_random_uuid()::text)
     from user_credits where user_id = $1`,
    [account.id, pages],
  );
await setCredits(ada, 11);
await setCredits(bob, 22);

/** Of 100 reads at a time. */
const batches = runsWhole(import.meta.filename) ? 12 : 3;

describe('hundreds of reads, 100 at a time', () => {
  test('by two people and a visitor: no row of another’s, none missing', async () => {
    const visitor = product.open();
    const readCredits = (reader: TestAccount, target: TestAccount | null) => async () => {
      const query = reader.client.supabase.from('user_credits').select('user_id,conversion_credits');
      const { data, error } = await (target ? query.eq('user_id', target.id) : query);
      return { error, rows: data, expected: target && target !== reader ? [] : [rowOf(reader)] };
    };
    const readTotals = async () => {
      const { data, error } = await visitor.supabase
        .from('page_conversion_totals')
        .select('net_pages')
        .eq('id', 1)
        .single();
      return { error, rows: [data], expected: [{ net_pages: 0 }] };
    };
    const rowOf = (account: TestAccount) => ({
      user_id: account.id,
      conversion_credits: account === ada ? 11 : 22,
    });
    const kinds = [
      readCredits(ada, ada),
      readCredits(bob, bob),
      readCredits(ada, null),
      readCredits(bob, null),
      readCredits(ada, bob),
      readTotals,
    ];
    let done = 0;
    for (let batch = 0; batch < batches; batch++) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) => (kinds[index % kinds.length] ?? readTotals)()),
      );
      for (const { error, rows, expected } of answers) {
        expect([error, rows]).toEqual([null, expected]);
        done++;
      }
    }
    expect(done).toBe(batches * 100);
  });
});

describe('rights', () => {
  test('a visitor reads the total and nobody’s credits', async () => {
    const { supabase } = product.open();
    expect((await supabase.from('user_credits').select()).data ?? []).toEqual([]);
    expect((await supabase.from('page_conversion_totals').select()).data).toEqual([{ id: 1, net_pages: 0 }]);
  });

  test('without the key nothing can be read', async () => {
    for (const table of ['page_conversion_totals', 'user_credits']) {
      const address = `${product.url}/rest/v1/${table}`;
      expect((await fetch(address)).status).toBe(401);
      expect((await fetch(address, { headers: { apikey: 'another' } })).status).toBe(401);
    }
  });

  test('nobody can write', async () => {
    const { supabase } = ada.client;
    const attempts = [
      await supabase.from('user_credits').update({ conversion_credits: 1000 }).eq('user_id', ada.id),
      await supabase.from('user_credits').insert({ user_id: ada.id, conversion_credits: 1000 }),
      await supabase.from('user_credits').delete().eq('user_id', ada.id),
      await supabase.from('page_conversion_totals').update({ net_pages: 9 }).eq('id', 1),
      await supabase.rpc('hook_before_user_created', { event: {} }),
    ];
    for (const { error } of attempts) expect(error).not.toBeNull();
    expect((await supabase.from('user_credits').select('conversion_credits').single()).data).toEqual({
      conversion_credits: 11,
    });
  });

  test.each(['credit_entries', 'conversions', 'conversion_pages', 'users', 'pg_class', 'nothing'])(
    'no row of %s can be read',
    async (table) => {
      for (const { supabase } of [product.open(), ada.client]) {
        const { data, error } = await supabase.from(table).select();
        expect(error).not.toBeNull();
        expect(data).toBeNull();
      }
    },
  );

  test('values in a filter stay values', async () => {
    const { supabase } = product.open();
    for (const value of ["1' or '1'='1", '1); drop table user_credits; --', '1,id.eq.2', '"']) {
      const { data } = await supabase.from('page_conversion_totals').select().eq('id', value);
      expect(data ?? []).toEqual([]);
    }
    expect((await product.sql('select count(*)::int as count from user_credits'))[0]?.count).toBe(2);
  });

  test('one row requested and none found: the code that clients know', async () => {
    const { error, status } = await product
      .open()
      .supabase.from('page_conversion_totals')
      .select('net_pages')
      .eq('id', 2)
      .single();
    expect([error?.code, status]).toEqual(['PGRST116', 406]);
  });
});

describe('changes are announced', () => {
  /** Resolves when the server has accepted the subscription. */
  async function listen(
    client: Pick<IdentityClient, 'supabase'>,
    table: string,
    filter?: string,
  ): Promise<Record<string, unknown>[]> {
    const rows: Record<string, unknown>[] = [];
    const change = { event: '*', schema: 'public', table, ...(filter ? { filter } : {}) } as const;
    await new Promise<void>((resolve, reject) => {
      client.supabase
        .channel(`${table}-${Math.random()}`)
        .on('postgres_changes', change, ({ new: row }) => rows.push(row))
        .subscribe((status, error) => {
          if (status === 'SUBSCRIBED') resolve();
          else if (status !== 'CLOSED') reject(error ?? new Error(status));
        });
    });
    return rows;
  }

  test('the page total, to a visitor', async () => {
    const rows = await listen(product.open(), 'page_conversion_totals', 'id=eq.1');
    await waitUntil(async () => {
      await product.sql('update page_conversion_totals set net_pages = net_pages + 3 where id = 1');
      expect(rows.at(-1)).toMatchObject({ id: 1, net_pages: expect.any(Number) });
    });
    const [now] = await product.sql('select net_pages::int as pages from page_conversion_totals');
    await waitUntil(() => expect(rows.at(-1)?.net_pages).toBe(now?.pages));
  });

  test('one’s own credits, and never those of another, whatever is requested', async () => {
    const own = await listen(ada.client, 'user_credits', `user_id=eq.${ada.id}`);
    const unfiltered = await listen(ada.client, 'user_credits');
    const others = await listen(ada.client, 'user_credits', `user_id=eq.${bob.id}`);
    const visitors = await listen(product.open(), 'user_credits').catch(() => []);
    const bobs = await listen(bob.client, 'user_credits', `user_id=eq.${bob.id}`);
    await setCredits(bob, 23);
    await waitUntil(() => expect(bobs.at(-1)).toMatchObject({ user_id: bob.id, conversion_credits: 23 }));
    await setCredits(ada, 12);
    await waitUntil(() => {
      expect(own.at(-1)).toMatchObject({ user_id: ada.id, conversion_credits: 12 });
      expect(unfiltered.at(-1)).toMatchObject({ user_id: ada.id, conversion_credits: 12 });
    });
    expect([others, visitors]).toEqual([[], []]);
    expect([...own, ...unfiltered].filter(({ user_id }) => user_id !== ada.id)).toEqual([]);
    expect(bobs.filter(({ user_id }) => user_id !== bob.id)).toEqual([]);
  });

  /** A page that holds this token and cannot renew it. */
  async function openWithToken(token: string): Promise<Pick<IdentityClient, 'supabase'>> {
    const supabase = createClient(product.url, product.key, { accessToken: () => Promise.resolve(token) });
    await supabase.realtime.setAuth();
    return { supabase };
  }

  test('nothing to a forged token, nor to an ended session', async () => {
    const token = sessionOf(await product.signIn(ada)).access_token;
    const forged = await openWithToken(`${token.slice(0, -4)}AAAA`);
    await expect(listen(forged, 'user_credits')).rejects.toThrow();

    const held = await openWithToken(token);
    const rows = await listen(held, 'user_credits');
    await setCredits(ada, 13);
    await waitUntil(() => expect(rows.at(-1)).toMatchObject({ conversion_credits: 13 }));
    await product.sql('delete from auth.sessions where id = $1', [claimsOf(token).session_id]);
    const live = await listen(ada.client, 'user_credits');
    await setCredits(ada, 14);
    await waitUntil(() => expect(live.at(-1)).toMatchObject({ conversion_credits: 14 }));
    expect(rows.at(-1)).toMatchObject({ conversion_credits: 13 });
    for (const { supabase } of [forged, held]) await supabase.realtime.disconnect();
  });

  test('a channel ends with its token, and so does everything else that the token opened', async () => {
    const { access_token: long } = sessionOf(ada.client);
    const token = await signShortToken(String(claimsOf(long).session_id));
    expect((await product.callApi(token)).status).toBe(200);
    const page = await openWithToken(token);
    const statuses: string[] = [];
    page.supabase
      .channel('short')
      .on('postgres_changes', { event: '*', schema: 'public', table: 'user_credits' }, () => {})
      .subscribe((status) => statuses.push(status));
    await waitUntil(() => expect(statuses).toEqual(['SUBSCRIBED']));
    await waitUntil(() => expect(statuses.at(-1)).toBe('CLOSED'));
    expect(await product.callApi(token)).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    expect((await product.open().auth.getUser(token)).error).toMatchObject({ code: 'bad_jwt', status: 403 });
    const read = await page.supabase.from('user_credits').select();
    expect([read.status, read.data]).toEqual([401, null]);
    await page.supabase.realtime.disconnect();
  });

  /** Signed like the product's, but expiring in two seconds; settings do not allow less than five. */
  async function signShortToken(sessionId: string): Promise<string> {
    const pool = createPool(product.databaseUrl);
    const keys = createSigningKeys({
      db: drizzle(pool),
      sealer: createSealer({ present: secretKey, former: [] }),
      logger: pino({ enabled: false }),
      tokenSeconds: 3600,
    });
    const tokens = createAccessTokens({ keys, issuer: `${product.url}/auth/v1`, seconds: 2 });
    const { token } = await tokens.sign({
      userId: ada.id,
      email: ada.email,
      appMetadata: {},
      userMetadata: {},
      sessionId,
      aal: 'aal1',
      amr: [],
    });
    await pool.end();
    return token;
  }
});
