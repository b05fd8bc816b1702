import { expect, test } from 'vitest';
import { checkNewPassword, createPasswords } from './passwords.ts';

test('a password is known again, and every byte beyond 72 counts', async () => {
  const passwords = createPasswords();
  const long = `${'long pass phrase '.repeat(8)}ends here`;
  const hash = await passwords.hash(long);
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwords.verify(long, hash)).toBe(true);
  expect(await passwords.verify(`${long}.`, hash)).toBe(false);
  expect(await passwords.verify(long.slice(0, 72), hash)).toBe(false);
});

test('one hash each, whether there is an account or not', async () => {
  const passwords = createPasswords();
  const hash = await passwords.hash('correct horse');
  const before = passwords.computed;
  await passwords.verify('wrong guess', hash);
  const forAccount = passwords.computed - before;
  expect(await passwords.verify('wrong guess', null)).toBe(false);
  expect(passwords.computed - before - forAccount).toBe(forAccount);
  // the value that stands in for a missing hash is no way in
  expect(await passwords.verify('', null)).toBe(false);
});

test('a flood is refused beyond the waiting line, and the line is served', async () => {
  const passwords = createPasswords();
  const settled = await Promise.allSettled(Array.from({ length: 140 }, () => passwords.verify('x', null)));
  const refused = settled.filter((one) => one.status === 'rejected');
  expect(refused.length).toBeGreaterThanOrEqual(30);
  for (const { reason } of refused)
    expect(reason).toMatchObject({ status: 429, code: 'over_request_rate_limit' });
  expect(await passwords.verify('x', null)).toBe(false);
});

test.each(['', 'seven77', 'ábcdéfg'])('“%s” is too short', (password) => {
  expect(() => checkNewPassword(password)).toThrow(
    expect.objectContaining({ code: 'weak_password', extras: { weakPasswordReasons: ['length'] } }),
  );
});

test('eight characters do, a thousand too, more do not', () => {
  checkNewPassword('eight888');
  checkNewPassword('𝕡'.repeat(1000));
  expect(() => checkNewPassword('a'.repeat(1001))).toThrow(
    expect.objectContaining({ code: 'validation_failed' }),
  );
});
