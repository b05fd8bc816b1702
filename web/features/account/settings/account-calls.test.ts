import type { User, UserIdentity } from '@supabase/supabase-js';
import { expect, it } from 'vitest';
import { describeUser } from './account-calls.ts';

const identity = (provider: string, email: string): UserIdentity => ({
  id: provider,
  identity_id: provider,
  user_id: 'u',
  provider,
  identity_data: { email },
});
const user: User = {
  id: 'u',
  aud: 'authenticated',
  email: 'ada@example.com',
  created_at: '2026-01-01T00:00:00Z',
  app_metadata: {},
  user_metadata: {},
};

it('derives the sign-in methods from the identities', () => {
  const google = identity('google', 'ada@gmail.com');
  expect(describeUser({ ...user, identities: [identity('email', 'ada@example.com')] })).toMatchObject({
    hasPassword: true,
    googleEmail: null,
  });
  expect(describeUser({ ...user, identities: [google] })).toMatchObject({
    hasPassword: false,
    googleEmail: 'ada@gmail.com',
  });
  expect(describeUser({ ...user, identities: [google, identity('email', 'ada@example.com')] })).toMatchObject(
    { hasPassword: true, googleEmail: 'ada@gmail.com' },
  );
});

it('treats an empty new_email as none, and shows only verified authenticators', () => {
  const factor = {
    factor_type: 'totp',
    created_at: '2026-02-01T00:00:00Z',
    updated_at: '2026-02-01T00:00:00Z',
  } as const;
  const account = describeUser({
    ...user,
    new_email: '',
    factors: [
      { ...factor, id: 'begun', status: 'unverified' },
      { ...factor, id: 'on', status: 'verified', friendly_name: 'Phone' },
    ],
  });
  expect(account.newEmail).toBeNull();
  expect(account.factors).toEqual([{ id: 'on', name: 'Phone', createdAt: '2026-02-01T00:00:00Z' }]);
});
