import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenedDatabase } from '#server/database/database.ts';
import { gmailAliasMessage, refuseSignUp, suspiciousAddressMessage } from '#shared/sign-up-rules.ts';
import { createTestDatabase } from '../../../test-support/database.ts';
import { createRandom } from '../../../test-support/random.ts';
import { listDisposableDomains, loadDisposableDomains, readDisposableLists } from './disposable-domains.ts';
import { ordinaryProviders } from './ordinary-providers.ts';

let database: OpenedDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await Promise.all([loadDisposableDomains(database.pool), loadDisposableDomains(database.pool)]);
});
afterAll(() => database.close());

const judgeInDatabase = async (emails: string[]): Promise<(string | null)[]> => {
  const { rows } = await database.pool.query<{ refusal: string | null }>(
    'SELECT private.refuse_signup(email) AS refusal FROM unnest($1::text[]) WITH ORDINALITY AS given (email, place) ORDER BY place',
    [emails],
  );
  return rows.map(({ refusal }) => refusal);
};

const refused: [string, string][] = [
  ['ada+notes@gmail.com', gmailAliasMessage],
  ['Ada+Notes@GoogleMail.COM', gmailAliasMessage],
  ['ada+notes@gmail.com.', gmailAliasMessage],
  ['', suspiciousAddressMessage],
  ['ada', suspiciousAddressMessage],
  ['@example.com', suspiciousAddressMessage],
  ['ada@', suspiciousAddressMessage],
  ['ada@example', suspiciousAddressMessage],
  ['ada@exa mple.com', suspiciousAddressMessage],
  ['ada b@example.com', suspiciousAddressMessage],
  ['ada@@example.com', suspiciousAddressMessage],
  ['"ada b"@example.com', suspiciousAddressMessage],
  ['"ada"@gmail.com', suspiciousAddressMessage],
  ['ada@example..com', suspiciousAddressMessage],
  ['ada@-example.com', suspiciousAddressMessage],
  ['ada@[127.0.0.1]', suspiciousAddressMessage],
  ['ada@example.com\u200b', suspiciousAddressMessage],
  // 13 digits of 15 are more than 80 %; 12 are not
  ['ab1234567890123@example.com', suspiciousAddressMessage],
  ['bcdfghjklmnpqrstvwxzbcdfg@example.com', suspiciousAddressMessage],
  // 4 digits of 11
  ['bitcoin1234@example.com', suspiciousAddressMessage],
  ['12345a@anything.xyz', suspiciousAddressMessage],
  ['ada.lovelace.of.the.engines@anything.top', suspiciousAddressMessage],
  ['freeda@anything.club', suspiciousAddressMessage],
  ['ada@mailinator.com', suspiciousAddressMessage],
  ['ada@MAILINATOR.com.', suspiciousAddressMessage],
  ['ada@anything.at.mailinator.com', suspiciousAddressMessage],
  ['ada@säkerhetsväst.se', suspiciousAddressMessage],
  ['ada@xn--skerhetsvst-l8ai.se', suspiciousAddressMessage],
];
const welcome = [
  'ada@example.com',
  ' Ada@Example.com ',
  'ada.lovelace@gmail.com',
  'a.d.a@googlemail.com',
  'ada+notes@outlook.com',
  'ada@example.com.',
  'abc123456789012@example.com',
  '12345678901234@example.com',
  'bcdfghjklmnpqrstvwxzbcdf@example.com',
  'bcdfghjklmnpqrstvwxzbcdfa@example.com',
  'bitcoin123@example.com',
  'abc123@anything.xyz',
  'ada@anything.xyz',
  'ada@notxyz.com',
  'ada@bücher.example',
  'élodie@example.fr',
  'o’hara@example.com',
  "o'hara@example.com",
];

test('each rule rejects what it should, with its own message, up to its limits', async () => {
  const addresses = refused.map(([email]) => email);
  expect(await judgeInDatabase(addresses)).toEqual(refused.map(([, message]) => message));
  expect(await judgeInDatabase(welcome)).toEqual(welcome.map(() => null));
});

/** The same addresses in every run. */
function generateAddresses(howMany: number): string[] {
  const { below: random } = createRandom(20_260_101);
  const pick = <T>(from: readonly T[]): T => from[random(from.length)]!;
  const pieces = [
    'a',
    'bcd',
    'xyz',
    '1',
    '42',
    '0009',
    'free',
    'WIN',
    'crypto',
    '.',
    '..',
    '-',
    '_',
    '+',
    'E',
    'É',
    'ß',
    'ñandú',
    '用户',
    '𝒜',
    '\u00a0',
    '\u200d',
    ' ',
    '\t',
    '"',
    '\\',
    '@',
    '(',
    'İ',
    'ﬁ',
    '😀',
    "'",
    '%',
    '９',
  ];
  const labels = [
    'gmail',
    'googlemail',
    'GMAIL',
    'example',
    'mailinator',
    'yopmail',
    'mail',
    'bücher',
    'xn--bcher-kva',
    '-a',
    'b-',
    'a_b',
    '例え',
    'ｇｍａｉｌ',
    'ﬁt',
    '123',
    '',
    'x'.repeat(63),
    'y'.repeat(64),
  ];
  const endings = [
    'com',
    'com',
    'com',
    'COM',
    'xyz',
    'top',
    'XYZ',
    'win',
    'fr',
    'co.uk',
    'com.',
    'com..',
    '',
    'онлайн',
    'com\u3002',
  ];
  return Array.from({ length: howMany }, () => {
    const local = Array.from({ length: random(14) }, () => pick(pieces)).join('');
    const domain = [...Array.from({ length: 1 + random(2) }, () => pick(labels)), pick(endings)].join(
      random(20) ? '.' : '\u3002',
    );
    return `${random(10) ? '' : ' '}${local}${random(25) ? '@' : ''}${domain}${random(10) ? '' : '\n'}`;
  });
}

test('form and database agree on thousands of addresses', async () => {
  const known = new Set(listDisposableDomains());
  const isKnown = (domain: string) =>
    domain
      .toLowerCase()
      .split('.')
      .some((_, first, all) => known.has(all.slice(first).join('.')));
  const addresses = [
    ...refused.map(([email]) => email),
    ...welcome,
    ...generateAddresses(6000),
    ...[14, 15, 16, 24, 25, 26, 63, 64, 65].flatMap((length) =>
      Array.from({ length: length + 1 }, (_, digits) =>
        ['b', 'e'].map((letter) => `${'7'.repeat(digits)}${letter.repeat(length - digits)}`),
      )
        .flat()
        .flatMap((local) => [`${local}@example.com`, `${local}@example.tk`]),
    ),
  ];
  const inForm = addresses.map((email) => refuseSignUp(email, { isDisposable: isKnown }));
  const inDatabase = await judgeInDatabase(addresses);
  const differing = addresses.filter((_, place) => inForm[place] !== inDatabase[place]);
  expect(differing).toEqual([]);
  // the generator reaches every outcome
  for (const outcome of [null, gmailAliasMessage, suspiciousAddressMessage])
    expect(inForm.filter((refusal) => refusal === outcome).length).toBeGreaterThan(30);
});

test('nearly all of every list is caught, and no ordinary provider is', async () => {
  const { rows: blocked } = await database.pool.query(
    'SELECT domain FROM unnest($1::text[]) AS domain WHERE private.is_disposable(domain)',
    [ordinaryProviders],
  );
  expect(blocked).toEqual([]);
  expect(ordinaryProviders.length).toBeGreaterThan(450);
  for (const [name, list] of Object.entries(readDisposableLists())) {
    let caught = 0;
    // a whole list in one query takes longer than a query may on a busy machine
    for (let first = 0; first < list.length; first += 5000) {
      const { rows } = await database.pool.query<{ caught: number }>(
        'SELECT count(*)::int AS caught FROM unnest($1::text[]) AS domain WHERE private.is_disposable(domain)',
        [list.slice(first, first + 5000)],
      );
      caught += rows[0]!.caught;
    }
    expect(caught / list.length, name).toBeGreaterThan(0.999);
  }
});

test('a disposable domain is recognised in any spelling', async () => {
  const known = [
    'ada@Mailinator.COM',
    'ada@mailinator.com.',
    'ada@x.y.mailinator.com',
    'ada@SÄKERHETSVÄST.se',
    'ada@säkerhetsväst.se',
    'ada@xn--skerhetsvst-l8ai.se',
  ];
  expect(await judgeInDatabase(known)).toEqual(known.map(() => suspiciousAddressMessage));
  const others = ['ada@example.com', 'ada@notmailinator.example'];
  expect(await judgeInDatabase(others)).toEqual(others.map(() => null));
});

test('a second start loads nothing', async () => {
  expect(await loadDisposableDomains(database.pool)).toBe('unchanged');
});

test('the hook answers in Supabase’s form', async () => {
  const ask = async (user: object) =>
    (
      await database.pool.query('SELECT public.hook_before_user_created($1) AS answer', [
        { metadata: {}, user },
      ])
    ).rows[0].answer;
  expect(await ask({ email: 'ada@example.com', phone: '' })).toEqual({});
  expect(await ask({ email: 'ada@mailinator.com' })).toEqual({
    error: { http_code: 400, message: suspiciousAddressMessage },
  });
  expect(await ask({ email: '', phone: '' })).toEqual({
    error: { http_code: 400, message: suspiciousAddressMessage },
  });
  expect(await ask({ phone: '4912345' })).toEqual({});
});

test('free credits are given once per mailbox, however it is written, and earlier hashes still count', async () => {
  const ask = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;
  await ask(
    "INSERT INTO private.settings (name, value) VALUES ('mailbox-key', sha256('a key')) ON CONFLICT DO NOTHING",
  );
  /** The pages that an account with this address starts with. */
  const confirm = async (email: string): Promise<number> => {
    const [{ id }] = await ask(
      'INSERT INTO auth.users (id, email, email_confirmed_at) VALUES (gen_random_uuid(), $1, now()) RETURNING id',
      [email],
    );
    const [balance] = await ask('SELECT conversion_credits FROM user_credits WHERE user_id = $1', [id]);
    return balance.conversion_credits;
  };
  for (const spellings of [
    ['ada@outlook.com', 'ada+1@outlook.com', 'ada+two@outlook.com'],
    ['grace+first@university.example', 'grace@university.example', 'grace+again@university.example'],
    ['ada.l@proton.me', 'adal@protonmail.com', 'ada-l@pm.me', 'ada_l+x@protonmail.ch'],
    ['a.da@gmail.com', 'ada@googlemail.com'],
    ['mary@icloud.com', 'mary@me.com', 'mary+x@mac.com'],
    ['ivan-k@yandex.ru', 'ivan.k@ya.ru'],
  ]) {
    const pages = [];
    for (const email of spellings) pages.push(await confirm(email));
    expect([spellings, pages]).toEqual([spellings, [10, ...spellings.slice(1).map(() => 0)]]);
  }
  for (const [former, now] of [
    ['old.one@protonmail.com', 'old.one@proton.me'],
    ['oldtwo@pm.me', 'oldtwo@protonmail.com'],
    ['old+three@example.com', 'old+three@example.com'],
    ['oldfour@me.com', 'oldfour@icloud.com'],
  ]) {
    await ask(
      `INSERT INTO private.granted_mailboxes (mailbox_hash)
       SELECT sha256(value || sha256(value || convert_to($1, 'UTF8'))) FROM private.settings WHERE name = 'mailbox-key'`,
      [former],
    );
    expect([now, await confirm(now ?? '')]).toEqual([now, 0]);
  }
  // addresses that merely look alike are two mailboxes
  for (const email of [
    'a.b@example.com',
    'ab@example.com',
    'adaplus@outlook.com',
    '+@example.com',
    '+x@example.com',
  ])
    expect([email, await confirm(email)]).toEqual([email, 10]);
});
