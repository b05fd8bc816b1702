import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { createEnrolment, findStep } from './totp-codes.ts';

/** RFC 6238, appendix B: the SHA-1 values for the secret "12345678901234567890", here with their last six digits. */
const secret = new Secret({ buffer: new TextEncoder().encode('12345678901234567890').buffer }).base32;

test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('at %i seconds the code in the standard is accepted: %s', (seconds, code) => {
  expect(findStep(secret, code, { now: seconds * 1000, lastStep: null })).toBe(Math.floor(seconds / 30));
});

test('a code is accepted one step early or late, no further, and never twice', () => {
  const now = 2_000_000_000_000;
  const step = Math.floor(now / 30_000);
  const codeAt = (offset: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + offset * 30_000 });
  for (const offset of [-1, 0, 1])
    expect(findStep(secret, codeAt(offset), { now, lastStep: null })).toBe(step + offset);
  for (const offset of [-3, -2, 2, 3])
    expect(findStep(secret, codeAt(offset), { now, lastStep: null })).toBeNull();
  expect(findStep(secret, codeAt(0), { now, lastStep: step })).toBeNull();
  expect(findStep(secret, codeAt(-1), { now, lastStep: step })).toBeNull();
  expect(findStep(secret, codeAt(1), { now, lastStep: step })).toBe(step + 1);
});

test.each(['', '28708', '2870822', 'abcdef', '２８７０８２', '-87082', '287 082'])(
  '%j is not a code',
  (code) => {
    expect(findStep(secret, code, { now: 59_000, lastStep: null })).toBeNull();
  },
);

test('an enrolment has 160 random bits, an address for apps, and a picture that works as a data URL', () => {
  const [first, second] = [1, 2].map(() =>
    createEnrolment({ issuer: 'Inkproof', account: 'ada@example.com' }),
  );
  expect(first!.secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(second!.secret).not.toBe(first!.secret);
  expect(first!.uri).toBe(
    `otpauth://totp/Inkproof:ada%40example.com?issuer=Inkproof&secret=${first!.secret}&algorithm=SHA1&digits=6&period=30`,
  );
  expect(first!.qrCode).toMatch(/^<svg[^#%]*<\/svg>$/);
});
