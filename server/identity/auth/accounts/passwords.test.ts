import { expect, test } from 'vitest';
import { checkNewPassword, createPasswords } from './passwords.ts';

const turn = { network: 'home' };

test('a password is recognised, and every byte beyond 72 counts', async () => {
  const passwords = createPasswords();
  const isRight = async (password: string) => (await passwords.verify(password, hash, turn)).isRight;
  const long = `${'long pass phrase '.repeat(8)}ends here`;
  const hash = await passwords.hash(long, turn);
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await isRight(long)).toBe(true);
  expect(await isRight(`${long}.`)).toBe(false);
  expect(await isRight(long.slice(0, 72))).toBe(false);
});

test.each([
  ['composed', 'crème brûlée', 'crème brûlée'.normalize('NFD')],
  ['decomposed', 'crème brûlée'.normalize('NFD'), 'crème brûlée'],
  ['in full width', 'ｐａｓｓｗｏｒｔ　ＡＢＣ', 'passwort ABC'],
])('a password chosen %s is also accepted in the other form', async (_form, chosen, typed) => {
  const passwords = createPasswords();
  const hash = await passwords.hash(chosen, turn);
  for (const password of [chosen, typed])
    expect(await passwords.verify(password, hash, turn)).toEqual({ isRight: true, isOldForm: false });
});

test('one hash per attempt, whether or not the account exists', async () => {
  const passwords = createPasswords();
  const hash = await passwords.hash('correct horse', turn);
  for (const [guess, expected] of [
    ['wrong guess', 1],
    ['wröng guess', 2],
  ] as const) {
    const before = passwords.computed;
    await passwords.verify(guess, hash, turn);
    expect(passwords.computed - before).toBe(expected);
    expect((await passwords.verify(guess, null, turn)).isRight).toBe(false);
    expect(passwords.computed - before).toBe(2 * expected);
  }
  // the value that stands in for a missing hash does not match any password
  expect((await passwords.verify('', null, turn)).isRight).toBe(false);
});

test('a class of 300 waits in its queue, a flood is rejected beyond it, and another network is not delayed', async () => {
  const passwords = createPasswords();
  const order: string[] = [];
  // a recheck that throws ends the call in its turn, without hashing
  const try_ = (network: string) =>
    passwords.verify('x', null, {
      network,
      recheck: async () => {
        order.push(network);
        if (order.length > 3) throw new Error('in turn');
      },
    });
  const room = Array.from({ length: 300 }, () => try_('room'));
  const flood = Array.from({ length: 500 }, () => try_('flood'));
  const home = try_('home');
  const outcomes = await Promise.allSettled([...room, ...flood, home]);
  const codes = outcomes.map((one) => (one.status === 'rejected' ? (one.reason.code ?? 'served') : 'served'));
  expect(codes.slice(0, 300).filter((code) => code !== 'served')).toEqual([]);
  expect(codes.slice(300).filter((code) => code === 'over_request_rate_limit')).toHaveLength(100);
  expect(codes.at(-1)).toBe('served');
  expect(order.indexOf('home')).toBeLessThan(10);
  expect((await passwords.verify('x', null, turn)).isRight).toBe(false);
});

test.each(['', 'seven77', 'ábcdéfg', 'a\u0301bcdefg'])('“%s” is too short', async (password) => {
  await expect(checkNewPassword(password)).rejects.toMatchObject({
    code: 'weak_password',
    extras: { weakPasswordReasons: ['length'] },
  });
});

test.each(['password', '12345678', 'Password1', 'QWERTYUIOP', 'iloveyou1', 'motdepasse', 'ｐａｓｓｗｏｒｄ'])(
  '“%s” is too common',
  async (password) => {
    await expect(checkNewPassword(password)).rejects.toMatchObject({
      code: 'weak_password',
      extras: { weakPasswordReasons: ['pwned'] },
    });
  },
);

test('eight characters are enough, a thousand are allowed, more are not', async () => {
  await checkNewPassword('tea8leaf');
  await checkNewPassword('𝕡'.repeat(1000));
  await expect(checkNewPassword('a'.repeat(1001))).rejects.toMatchObject({ code: 'validation_failed' });
});
