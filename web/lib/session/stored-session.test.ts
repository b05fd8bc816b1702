import { expect, test } from 'vitest';
import { describeSession } from './stored-session.ts';

function token(claims: object): string {
  return `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`;
}

const user = { id: 'u', email: 'ada@example.com' };

test('an account with an authenticator is signed in only after its code was entered', () => {
  const factors = [{ status: 'verified' }];
  const needsCode = (claims: object, with_: { status: string }[]) =>
    describeSession({ access_token: token(claims), user: { ...user, factors: with_ } }).needsCode;
  expect(needsCode({ aal: 'aal1' }, [])).toBe(false);
  expect(needsCode({ aal: 'aal1' }, [{ status: 'unverified' }])).toBe(false);
  expect(needsCode({ aal: 'aal1' }, factors)).toBe(true);
  expect(needsCode({ aal: 'aal2' }, factors)).toBe(false);
  // a token without an assurance level proves nothing
  expect(needsCode({}, factors)).toBe(true);
});
