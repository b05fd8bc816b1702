/** The dialog's calls. Each returns `null` or the failure; none throws. */
import type { IdentityClient } from '#web/lib/session/create-client.ts';
import { getClient } from '#web/lib/session/get-client.ts';
import { rememberLeaving } from '#web/lib/session/return.ts';
import { describeSession } from '#web/lib/session/stored-session.ts';
import type { AuthFailure } from './auth-messages.ts';

interface Credentials {
  email: string;
  password: string;
}

export type SignInOutcome =
  | { kind: 'signed-in' }
  /** The account's authenticator code is required. */
  | { kind: 'needs-code' }
  | { kind: 'failed'; failure: AuthFailure };

export async function signIn(credentials: Credentials): Promise<SignInOutcome> {
  return attempt<SignInOutcome>(async (client) => {
    const { data, error } = await client.auth.signInWithPassword(credentials);
    if (error) return { kind: 'failed', failure: error };
    return { kind: describeSession(data.session).needsCode ? 'needs-code' : 'signed-in' };
  }, asFailed);
}

export type SignUpOutcome =
  | { kind: 'signed-in' }
  /** A mail has been sent. */
  | { kind: 'mailed' }
  | { kind: 'failed'; failure: AuthFailure };

export async function signUp(credentials: Credentials): Promise<SignUpOutcome> {
  return attempt<SignUpOutcome>(async (client) => {
    const options = { emailRedirectTo: `${location.origin}/auth/confirm` };
    const { data, error } = await client.auth.signUp({ ...credentials, options });
    if (error) return { kind: 'failed', failure: error };
    return { kind: data.session ? 'signed-in' : 'mailed' };
  }, asFailed);
}

export async function sendReset(email: string): Promise<AuthFailure | null> {
  return attempt<AuthFailure | null>(async (client) => {
    const redirectTo = `${location.origin}/reset-password`;
    return (await client.auth.resetPasswordForEmail(email, { redirectTo })).error;
  }, itself);
}

export async function resendConfirmation(email: string): Promise<AuthFailure | null> {
  return attempt<AuthFailure | null>(async (client) => {
    const options = { emailRedirectTo: `${location.origin}/auth/confirm` };
    return (await client.auth.resend({ type: 'signup', email, options })).error;
  }, itself);
}

/** Verifies the authenticator app's six digits, or a recovery code instead. */
export async function verifyCode(code: string): Promise<AuthFailure | null> {
  return attempt<AuthFailure | null>(async (client) => {
    const { data, error } = await client.auth.mfa.listFactors();
    if (error) return error;
    const [factor] = data.totp;
    if (!factor) return { message: 'This account no longer has an authenticator. Please log in again.' };
    return (await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code })).error;
  }, itself);
}

/** Leaves for Google, which returns to this page. */
export async function leaveForGoogle(): Promise<AuthFailure | null> {
  return attempt<AuthFailure | null>(async (client) => {
    const redirectTo = `${location.origin}${location.pathname}`;
    rememberLeaving();
    return (await client.auth.signInWithOAuth({ provider: 'google', options: { redirectTo } })).error;
  }, itself);
}

/** Loads the client and runs `work`; errors, including failed loading, are returned as failures. */
async function attempt<T>(
  work: (client: IdentityClient) => Promise<T>,
  fail: (failure: AuthFailure) => T,
): Promise<T> {
  try {
    return await work(await getClient());
  } catch (cause) {
    const failure = cause instanceof Error ? cause : new Error(String(cause));
    return fail({ message: failure.message, name: failure.name });
  }
}

function asFailed(failure: AuthFailure): { kind: 'failed'; failure: AuthFailure } {
  return { kind: 'failed', failure };
}

function itself(failure: AuthFailure): AuthFailure | null {
  return failure;
}
