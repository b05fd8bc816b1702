// One's own account through the API, on the whole product: sessions, export, deletion, and the address check.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, describe, expect, test } from 'vitest';
import { parseEnv } from '#platform/env.ts';
import { openStorage } from '#server/storage/open-storage.ts';
import { AccountSessions } from '#shared/api/account.ts';
import { startIdentityServer } from '../../test-support/product/identity.ts';
import { startTestServer } from '../../test-support/product/server.ts';
import { insertDelivered, listKeys } from './testing/delivered.ts';

const product = await startIdentityServer({ ROLES: 'web' });
const storage = openStorage(parseEnv({ DATA_DIR: product.dataDir }));
afterAll(() => product.close());

const { call } = product;

const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code];

describe('sessions', () => {
  test('are listed, and one can be signed out from another', async () => {
    const ada = await product.createAccount();
    const phone = { client: await product.signIn(ada) };
    const read = async () =>
      AccountSessions.parse(await (await call(phone, 'GET', '/account/sessions')).json()).sessions;
    const sessions = await read();
    expect(sessions).toHaveLength(2);
    const [current, other] = [
      sessions.find((one) => one.is_current),
      sessions.find((one) => !one.is_current),
    ];
    expect(current?.user_agent).toBeTruthy();

    expect((await call(phone, 'DELETE', `/account/sessions/${other?.id}`)).status).toBe(204);
    expect(await codeOf(await call(ada, 'GET', '/account/sessions'))).toEqual([401, 'UNAUTHORIZED']);
    expect(await read()).toEqual([current]);
    const again = await call(phone, 'DELETE', `/account/sessions/${other?.id}`);
    expect(await codeOf(again)).toEqual([404, 'NOT_FOUND']);
    const none = await call(phone, 'DELETE', '/account/sessions/1');
    expect(await codeOf(none)).toEqual([404, 'NOT_FOUND']);
  });
});

describe('the export', () => {
  test('contains everything about the account, explains it, and nothing about anybody else', async () => {
    const [ada, eve] = [await product.createAccount(), await product.createAccount()];
    const conversion = await insertDelivered(product, storage, ada.id, 'E = mc^2');
    const foreign = await insertDelivered(product, storage, eve.id, 'secret of eve');
    const answer = await call(ada, 'GET', '/account/export');
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'application/zip']);
    expect(answer.headers.get('Cache-Control')).toContain('no-store');
    const bytes = Buffer.from(await answer.arrayBuffer());
    const files = unzipSync(bytes);
    const textOf = (name: string) => Buffer.from(files[name]!).toString();

    expect(Object.keys(files)).toEqual([
      'README.txt',
      'account.json',
      'sessions.json',
      'credits.json',
      'credit-entries.csv',
      'purchases.csv',
      'conversions/conversions.json',
      `conversions/${conversion}/document.tex`,
      `conversions/${conversion}/document.pdf`,
      `conversions/${conversion}/figure-p1-1.png`,
      'documents/folders.json',
      'documents/preamble.json',
      'documents/documents.json',
    ]);
    for (const name of ['account.json', 'sessions.json', 'credits.json', 'credit-entries.csv'])
      expect(textOf('README.txt')).toContain(name);
    expect(JSON.parse(textOf('account.json'))).toMatchObject({ email: ada.email, providers: ['email'] });
    expect(JSON.parse(textOf('sessions.json'))).toHaveLength(1);
    expect(JSON.parse(textOf('credits.json'))).toEqual({
      conversion_credits: 10,
      assistant_credits: 5,
      document_limit: 200,
    });
    expect(textOf('credit-entries.csv')).toMatch(
      /^id,created_at,kind,conversion,assistant,cause\r\n\d+,[^,]+,grant,10,5,/,
    );
    expect(textOf(`conversions/${conversion}/document.tex`)).toContain('E = mc^2');
    expect(textOf(`conversions/${conversion}/document.pdf`)).toBe('%PDF-1.7 E = mc^2');
    const everything = Object.values(files)
      .map((file) => Buffer.from(file).toString('latin1'))
      .join('\n');
    for (const others of [eve.email, eve.id, foreign, 'secret of eve', 'argon2', 'refresh_token'])
      expect(everything).not.toContain(others);
  });
});

describe('deletion', () => {
  const remove = (account: Parameters<typeof call>[0], confirm: string) =>
    call(account, 'DELETE', '/account', { confirm });

  test('requires the address, a recent sign-in, and every factor', async () => {
    const ada = await product.createAccount();
    expect(await codeOf(await remove(ada, 'somebody@example.com'))).toEqual([400, 'INVALID_INPUT']);

    await product.sql(
      "UPDATE auth.sessions SET created_at = now() - interval '11 minutes' WHERE user_id = $1",
      [ada.id],
    );
    expect(await codeOf(await remove(ada, ada.email))).toEqual([403, 'FRESH_SIGN_IN_REQUIRED']);
    const fresh = { client: await product.signIn(ada) };

    await product.sql(
      `INSERT INTO auth.mfa_factors (user_id, factor_type, status, secret) VALUES ($1, 'totp', 'verified', 'x')`,
      [ada.id],
    );
    expect(await codeOf(await remove(fresh, ada.email))).toEqual([401, 'UNAUTHORIZED']);
    expect(await codeOf(await call(fresh, 'GET', '/account/export'))).toEqual([401, 'UNAUTHORIZED']);
    await product.sql("UPDATE auth.sessions SET aal = 'aal2' WHERE user_id = $1", [ada.id]);
    expect((await remove(fresh, ada.email.toUpperCase())).status).toBe(204);
    expect(await product.sql('SELECT 1 FROM auth.users WHERE id = $1', [ada.id])).toEqual([]);
  });

  test('removes account, sessions, conversions and files; what the law requires is kept without the person', async () => {
    const [ada, eve] = [await product.createAccount(), await product.createAccount()];
    const conversion = await insertDelivered(product, storage, ada.id, 'E = mc^2');
    const foreign = await insertDelivered(product, storage, eve.id, 'of eve');
    const [entry] = await product.sql<{ id: string }>('SELECT id FROM credit_entries WHERE user_id = $1', [
      ada.id,
    ]);

    expect((await remove(ada, ada.email)).status).toBe(204);

    expect(await codeOf(await call(ada, 'GET', '/account/sessions'))).toEqual([401, 'UNAUTHORIZED']);
    const back = await product.post('/token?grant_type=password', {
      email: ada.email,
      password: ada.password,
    });
    expect(back.status).toBe(400);
    expect(await listKeys(storage, `conversions/${conversion}/`)).toEqual([]);
    expect(await listKeys(storage, `conversions/${foreign}/`)).toHaveLength(2);
    for (const [table, column] of [
      ['auth.users', 'id'],
      ['auth.sessions', 'user_id'],
      ['auth.identities', 'user_id'],
      ['user_credits', 'user_id'],
      ['private.account_deletions', 'user_id'],
    ])
      expect(await product.sql(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [ada.id])).toEqual([]);
    expect(await product.sql('SELECT 1 FROM conversions WHERE caller_id = $1', [ada.id])).toEqual([]);
    const stored = await product.sql('SELECT user_id, conversion FROM credit_entries WHERE id = $1', [
      entry?.id,
    ]);
    expect(stored).toEqual([{ user_id: null, conversion: 10 }]);
    const notice = await product.mailbox.take(ada.email, null);
    expect(notice.subject).toBe('Your account was deleted');

    // the same mailbox may sign up again, but gets free credits only once
    const again = await product.createAccount({ email: ada.email });
    const balance = await product.sql('SELECT conversion_credits FROM user_credits WHERE user_id = $1', [
      again.id,
    ]);
    expect(balance).toEqual([{ conversion_credits: 0 }]);
    expect((await call(eve, 'GET', `/conversions/${foreign}`)).status).toBe(200);
  });

  test('leaves neither id nor address in any table or file, keys included', async () => {
    const ada = await product.createAccount();
    await insertDelivered(product, storage, ada.id, 'E = mc^2');
    const ask = async (method: string, address: string, body?: object) => {
      const answer = await call(ada, method, address, body);
      expect([address, answer.ok]).toEqual([address, true]);
      return answer.json();
    };
    const latex = '\\documentclass{article}\\begin{document}Hers.\\end{document}';
    await ask('POST', '/compile', { latex, return_pdf: false });
    const folder = await ask('POST', '/folders', { name: 'Analysis' });
    const template = { template: 'article', folder_id: folder.id, save_id: crypto.randomUUID() };
    const document = await ask('POST', '/documents/from-template', template);
    await ask('POST', `/documents/${document.id}/shares`, {});
    await ask('PUT', '/preamble', { base_version: 0, preamble: '', notation: [] });
    expect((await call(ada, 'GET', '/search?q=hers')).status).toBe(200);
    const bundle = { bundle_type: 'starter_pack', country_code: 'FR' };
    const { url } = await ask('POST', '/create-checkout-session', bundle);
    const paid = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ action: 'pay' }),
      redirect: 'manual',
    });
    expect(paid.status).toBe(303);
    await product.post('/token?grant_type=password', { email: ada.email, password: 'not hers' });
    await ada.client.auth.updateUser({ data: { name: 'Ada' } });
    expect(await findTraces(ada.id)).not.toEqual([]);

    expect((await remove(ada, ada.email)).status).toBe(204);
    await product.mailbox.take(ada.email, null);
    expect(await findTraces(ada.id)).toEqual([]);
    expect(await findTraces(ada.email)).toEqual([]);
    // the remaining entries still add up
    const [stored] = await product.sql(
      "SELECT sum(conversion)::int AS pages FROM credit_entries WHERE user_id IS NULL AND cause ->> 'purchase' IS NOT NULL",
    );
    expect(stored).toEqual({ pages: 60 });
  });

  /** Where a word occurs: in tables, and in the names and contents of files below the data folder. */
  async function findTraces(word: string): Promise<string[]> {
    const tables = await product.sql<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const traces: string[] = [];
    for (const { name } of tables) {
      const rows = await product.sql(`SELECT 1 FROM ${name} AS each WHERE strpos(each::text, $1) > 0`, [
        word,
      ]);
      if (rows.length > 0) traces.push(name);
    }
    for (const entry of await readdir(product.dataDir, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (file.includes(word) || (entry.isFile() && (await readFile(file)).includes(word))) traces.push(file);
    }
    return traces;
  }
});

describe('the address check', () => {
  const check = (email: string, address = product.address) =>
    fetch(new URL('/api/v1/check-address', address), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email }),
    });
  const disposable =
    'Sorry, sign-ups from temporary, disposable, or suspicious email addresses are not allowed. Please use a valid personal or business email address.';
  const alias =
    'Oops! Gmail aliases with "+" or dots aren\'t supported right now. Could you try signing up with your regular Gmail address?';

  test.each([
    ['ada@example.com', { ok: true }],
    ['ada.l@gmail.com', { ok: true }],
    ['ada+notes@gmail.com', { ok: false, error: alias }],
    ['ada@mailinator.com', { ok: false, error: disposable }],
    ['ada@x.MAILINATOR.com', { ok: false, error: disposable }],
    ['no address', { ok: false, error: disposable }],
    ['ada\0@example.com', { ok: false, error: disposable }],
    ['ada\ud800@example.com', { ok: false, error: disposable }],
  ])('%s', async (email, verdict) => {
    const answer = await check(email);
    expect([answer.status, await answer.json()]).toEqual([200, verdict]);
    expect(answer.headers.get('Set-Cookie')).toBeNull();
  });

  test('is limited per network, and says when to try again', async () => {
    const strict = await startTestServer({ AUTH_LIMIT_FACTOR: '0.1' });
    try {
      const answers: Response[] = [];
      for (let index = 0; index < 13; index++) answers.push(await check('ada@example.com', strict.address));
      expect(answers.map(({ status }) => status)).toEqual([...Array(12).fill(200), 429]);
      expect(Number(answers.at(-1)?.headers.get('Retry-After'))).toBeGreaterThan(0);
    } finally {
      await strict.close();
    }
  });
});
