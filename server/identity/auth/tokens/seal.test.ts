import { expect, test } from 'vitest';
import { createSealer } from './seal.ts';

const secret = 'a secret key of thirty-two characters';

test('sealed data opens only with the same key, purpose and id', () => {
  const sealer = createSealer({ present: secret, former: [] });
  const sealed = sealer.seal('totp-secret', 'JBSWY3DP', 'factor-1');
  expect(sealed).not.toContain('JBSWY3DP');
  expect(sealer.seal('totp-secret', 'JBSWY3DP', 'factor-1')).not.toBe(sealed);
  expect(createSealer({ present: secret, former: [] }).open('totp-secret', sealed, 'factor-1')).toBe(
    'JBSWY3DP',
  );
  expect(sealer.open('totp-secret', sealed, 'factor-2')).toBeNull();
  expect(sealer.open('signing-key', sealed, 'factor-1')).toBeNull();
  expect(
    createSealer({ present: `${secret}.`, former: [] }).open('totp-secret', sealed, 'factor-1'),
  ).toBeNull();
});

test.each([0, 14, 40])('a changed byte at %i is detected', (position) => {
  const sealer = createSealer({ present: secret, former: [] });
  const bytes = Buffer.from(sealer.seal('signing-key', '{"kty":"EC","crv":"P-256"}', 'key'), 'base64url');
  bytes[position] = (bytes[position] ?? 0) ^ 1;
  expect(sealer.open('signing-key', bytes.toString('base64url'), 'key')).toBeNull();
  expect(sealer.open('signing-key', '', 'key')).toBeNull();
});
