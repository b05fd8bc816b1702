/** The account page's calls to the sign-in backend. Each returns its outcome; none throws. */
import type { User } from '@supabase/auth-js';
import type { IdentityClient } from '#web/lib/session/create-client.ts';
import { getClient } from '#web/lib/session/get-client.ts';
import { getIdentityConfig } from '#web/lib/session/identity-config.ts';
import type { AuthFailure } from '../dialog/auth-messages.ts';

export type Outcome<T = undefined> = { ok: true; data: T } | { ok: false; failure: AuthFailure };

/** An account as shown on the page. */
export interface Account {
  id: string;
  email: string;
  /** The new address while it waits for confirmation; null otherwise. */
  newEmail: string | null;
  hasPassword: boolean;
  /** The Google account's address; null if Google is not linked. */
  googleEmail: string | null;
  factors: Factor[];
}

/** An authenticator app whose codes this account requires. */
export interface Factor {
  id: string;
  name: string;
  /** ISO 8601 */
  createdAt: string;
}

/** An authenticator app being added: its codes are not required until one has been verified. */
export interface Enrolment {
  factorId: string;
  /** The content of the QR code: an `otpauth:` address. */
  uri: string;
  /** In Base32, for typing it. */
  secret: string;
}

/** Loads the account. This also updates the session, and so the header, if an address was confirmed elsewhere. */
export async function loadAccount(): Promise<Outcome<Account>> {
  return attempt(async (client) => {
    const { data, error } = await client.auth.getUser();
    if (error) return { ok: false, failure: error };
    const known = (await client.auth.getSession()).data.session?.user.email;
    if (known !== undefined && known !== data.user.email) await client.auth.refreshSession();
    return { ok: true, data: describeUser(data.user) };
  });
}

/** Exported for its test. */
export function describeUser(user: User): Account {
  const identities = user.identities ?? [];
  const google = identities.find((identity) => identity.provider === 'google');
  const googleEmail: unknown = google?.identity_data?.email;
  return {
    id: user.id,
    email: user.email ?? '',
    newEmail: user.new_email || null,
    hasPassword: identities.some((identity) => identity.provider === 'email'),
    googleEmail: google ? (typeof googleEmail === 'string' ? googleEmail : (user.email ?? '')) : null,
    factors: (user.factors ?? [])
      .filter((factor) => factor.status === 'verified' && factor.factor_type === 'totp')
      .map((factor) => ({
        id: factor.id,
        name: factor.friendly_name || 'Authenticator app',
        createdAt: factor.created_at,
      })),
  };
}

/** Sends mails to the old and the new address; the address changes when both links have been followed. */
export async function changeEmail(email: string): Promise<Outcome> {
  return attempt(async (client) => {
    const emailRedirectTo = `${location.origin}/auth/confirm`;
    return settle((await client.auth.updateUser({ email }, { emailRedirectTo })).error);
  });
}

/** Changes the password if the current one is correct; ends every other session of the account. */
export async function changePassword(options: {
  email: string;
  current: string;
  next: string;
}): Promise<Outcome> {
  return attempt(async (client) => {
    const proof = await proveIdentity({ email: options.email, password: options.current });
    if (!proof.ok) return proof;
    await proof.data.leave();
    const { error } = await client.auth.updateUser({
      password: options.next,
      current_password: options.current,
    });
    if (error) return { ok: false, failure: error };
    // if the server ended this session too, log in with the new password
    const { error: ended } = await client.auth.getUser();
    if (!ended) return done;
    return settle(
      (await client.auth.signInWithPassword({ email: options.email, password: options.next })).error,
    );
  });
}

export async function beginTwoFactor(): Promise<Outcome<Enrolment>> {
  return attempt(async (client) => {
    const listed = await client.auth.mfa.listFactors();
    if (listed.error) return { ok: false, failure: listed.error };
    // an unfinished enrolment is of no use to anybody
    for (const factor of listed.data.all)
      if (factor.status === 'unverified') await client.auth.mfa.unenroll({ factorId: factor.id });
    const { data, error } = await client.auth.mfa.enroll({
      factorType: 'totp',
      friendlyName: 'Authenticator app',
      issuer: 'Inkproof',
    });
    if (error) return { ok: false, failure: error };
    return { ok: true, data: { factorId: data.id, uri: data.totp.uri, secret: data.totp.secret } };
  });
}

/** @param code six digits */
export async function finishTwoFactor(factorId: string, code: string): Promise<Outcome> {
  return attempt(async (client) =>
    settle((await client.auth.mfa.challengeAndVerify({ factorId, code })).error),
  );
}

export async function removeFactor(factorId: string): Promise<Outcome> {
  return attempt(async (client) => {
    const { error } = await client.auth.mfa.unenroll({ factorId });
    if (error) return { ok: false, failure: error };
    // the token still has the assurance level of a code: refresh it
    return settle((await client.auth.refreshSession()).error);
  });
}

/** How many recovery codes there are; none before they were first created. */
export interface CodeCount {
  left: number;
  total: number;
}

/** Null if the backend has no recovery codes. */
export async function countRecoveryCodes(): Promise<Outcome<CodeCount | null>> {
  return attempt(async (client) => {
    if (!(await getIdentityConfig()).isOwn) return { ok: true, data: null };
    const answer = await askForCodes(client, 'GET');
    return answer.ok ? { ok: true, data: answer.data } : answer;
  });
}

/**
 * Creates new recovery codes; the former ones stop working.
 * @param code the app's, which the server requires within the last ten minutes; null if one was just verified
 */
export async function makeRecoveryCodes(
  factorId: string,
  code: string | null,
): Promise<Outcome<string[] | null>> {
  return attempt(async (client) => {
    if (!(await getIdentityConfig()).isOwn) return { ok: true, data: null };
    if (code !== null) {
      const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code });
      if (error) return { ok: false, failure: error };
    }
    const answer = await askForCodes(client, 'POST');
    return answer.ok ? { ok: true, data: answer.data.codes } : answer;
  });
}

async function askForCodes(
  client: IdentityClient,
  method: 'GET' | 'POST',
): Promise<Outcome<CodeCount & { codes: string[] }>> {
  const [{ data }, { url, anonKey }] = await Promise.all([client.auth.getSession(), getIdentityConfig()]);
  const answer = await fetch(`${url}/auth/v1/factors/recovery-codes`, {
    method,
    credentials: 'include',
    headers: { apikey: anonKey, Authorization: `Bearer ${data.session?.access_token ?? ''}` },
  });
  const body = await answer.json();
  return answer.ok ? { ok: true, data: body } : { ok: false, failure: { ...body, status: answer.status } };
}

export async function endOtherSessions(): Promise<Outcome> {
  return attempt(async (client) => settle((await client.auth.signOut({ scope: 'others' })).error));
}

/** A separate session, opened a moment ago with the password (and the authenticator's code). */
export interface Proof {
  accessToken: string;
  /** Ends it, leaving the page's own session alone. */
  leave: () => Promise<void>;
}

/** @param code six digits, if the account requires them */
export async function proveIdentity(options: {
  email: string;
  password: string;
  code?: string;
}): Promise<Outcome<Proof>> {
  return attempt(async () => {
    const [{ createClientAside }, config] = await Promise.all([
      import('#web/lib/session/create-client.ts'),
      getIdentityConfig(),
    ]);
    const aside = createClientAside(config);
    const leave = async () => {
      await aside.auth.signOut({ scope: 'local' }).catch(() => undefined);
    };
    const { email, password, code } = options;
    const { data, error } = await aside.auth.signInWithPassword({ email, password });
    if (error) return { ok: false, failure: error };
    if (code === undefined) return { ok: true, data: { accessToken: data.session.access_token, leave } };
    const factors = await aside.auth.mfa.listFactors();
    const factorId = factors.data?.totp[0]?.id;
    const verified = factorId
      ? await aside.auth.mfa.challengeAndVerify({ factorId, code })
      : { data: null, error: factors.error ?? { message: 'This account no longer has an authenticator.' } };
    if (verified.error) {
      await leave();
      return { ok: false, failure: verified.error };
    }
    return { ok: true, data: { accessToken: verified.data.access_token, leave } };
  });
}

const done = { ok: true, data: undefined } as const;

function settle(error: AuthFailure | null): Outcome {
  return error ? { ok: false, failure: error } : done;
}

/** Loads the client and runs `work`; errors, including failed loading, are returned as failures. */
async function attempt<T>(work: (client: IdentityClient) => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await work(await getClient());
  } catch (cause) {
    const { message, name } = cause instanceof Error ? cause : new Error(String(cause));
    return { ok: false, failure: { message, name } };
  }
}
