/** GET /authorize and /callback: redirects to Google and handles the return. */
import type { Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { AppEnv } from '#server/http/types.ts';
import { AuthError, type AuthErrorCode, authError } from '../auth-error.ts';
import type { AuthCore } from '../core.ts';
import { resolveRedirect } from '../redirects.ts';
import { describeOrigin } from '../requests.ts';
import { flowLifetimesMs, issueAuthCode, readCodeChallenge } from '../sessions/flow-state.ts';
import { describeCookieName, dropFlow, type ReturnedFlow, startFlow, takeFlow } from './flows.ts';
import { createGoogleClient } from './google-client.ts';
import { resolveAccount } from './resolve-account.ts';

/** Why a sign-in failed, for the page it returns to: the query parameters that auth-js reads. */
interface Failure {
  /** OAuth error code. */
  error: 'access_denied' | 'invalid_request' | 'server_error';
  code: AuthErrorCode;
  description: string;
}

/**
 * GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET enable Google; the redirect URI to register there is
 * `${API_URL}/auth/v1/callback`.
 * @throws Error for a GOOGLE_ISSUER over plain http that is not on this machine
 */
export function registerGoogleRoutes(routes: Hono<AppEnv>, core: AuthCore): void {
  const { env, issuer } = core;
  const google =
    env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET
      ? createGoogleClient({
          issuer: env.GOOGLE_ISSUER,
          clientId: env.GOOGLE_CLIENT_ID,
          clientSecret: env.GOOGLE_CLIENT_SECRET,
          redirectUri: `${issuer}/callback`,
        })
      : null;

  routes.get('/authorize', async (c) => {
    if (c.req.query('provider') !== 'google')
      throw authError(400, 'validation_failed', 'Unsupported provider: Provider could not be found');
    if (google === null)
      throw authError(400, 'validation_failed', 'Unsupported provider: provider is not enabled');
    const challenge = readCodeChallenge(c.req.query('code_challenge'), c.req.query('code_challenge_method'));
    // the implicit flow puts tokens into addresses, which stay in histories and logs
    if (challenge === null)
      throw authError(
        400,
        'validation_failed',
        'PKCE flow requires code_challenge and code_challenge_method.',
      );
    await core.limits.count('authorize', describeOrigin(core, c).network);
    const redirectTo = resolveRedirect(env, c.req.query('redirect_to'));
    const flow = await startFlow(core, { ...challenge, redirectTo });
    let url: string;
    try {
      url = await google.describeAuthorizeUrl(flow.checks);
    } catch (error) {
      core.logger.error({ err: error }, 'the sign-in provider cannot be reached');
      return c.redirect(describeFailure(redirectTo, unreachable), 303);
    }
    writeFlowCookie(c, core, flow.checks.state, flow.cookie);
    return c.req.query('skip_http_redirect') === 'true' ? c.json({ url }) : c.redirect(url, 302);
  });

  routes.get('/callback', async (c) => {
    const state = c.req.query('state') ?? '';
    const cookie = readFlowCookie(c, core, state);
    writeFlowCookie(c, core, state, null);
    const flow = state && cookie ? await takeFlow(core, { state, cookie }) : null;
    if (google === null || flow === null)
      return c.redirect(describeFailure(env.PUBLIC_URL, unknownFlow), 303);
    const failure = (reason: Failure) => fail(core, c, flow, reason);

    const refusal = c.req.query('error');
    if (refusal !== undefined) return failure(refusal === 'access_denied' ? cancelled : refused);
    const verdict = await google.exchange(new URL(c.req.url).search, flow.checks);
    if (verdict.kind !== 'verified') {
      core.logger.warn({ err: verdict.error, verdict: verdict.kind }, 'a sign-in by Google was refused');
      return failure(verdict.kind === 'unreachable' ? unreachable : refused);
    }
    try {
      const resolution = await resolveAccount(core, verdict.profile);
      switch (resolution.kind) {
        case 'unverified':
          return failure(unverified);
        case 'banned':
          return failure(banned);
        case 'account': {
          if (resolution.linkedTo) core.mail({ kind: 'google_linked', to: resolution.linkedTo });
          const to = new URL(flow.redirectTo);
          to.searchParams.set(
            'code',
            await core.db.transaction((tx) => issueAuthCode(tx, flow.id, resolution.userId)),
          );
          return c.redirect(to.href, 303);
        }
      }
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      return failure({ error: 'access_denied', code: error.code, description: error.message });
    }
  });
}

const cancelled: Failure = {
  error: 'access_denied',
  code: 'bad_oauth_callback',
  description: 'The sign-in with Google was cancelled.',
};
const refused: Failure = {
  error: 'server_error',
  code: 'bad_oauth_callback',
  description: 'Google’s answer could not be accepted. Please try again.',
};
const unreachable: Failure = {
  error: 'server_error',
  code: 'unexpected_failure',
  description: 'Google cannot be reached at the moment. Please try again later.',
};
const unknownFlow: Failure = {
  error: 'invalid_request',
  code: 'bad_oauth_state',
  description: 'This sign-in was started in another browser, or too long ago. Please try again.',
};
const unverified: Failure = {
  error: 'access_denied',
  code: 'provider_email_needs_verification',
  description:
    'Google has not verified this account’s e-mail address. Verify it there, or sign up with a password.',
};
const banned: Failure = { error: 'access_denied', code: 'user_banned', description: 'User is banned' };

async function fail(
  core: AuthCore,
  c: Context<AppEnv>,
  flow: ReturnedFlow,
  reason: Failure,
): Promise<Response> {
  await dropFlow(core, flow.id);
  return c.redirect(describeFailure(flow.redirectTo, reason), 303);
}

function describeFailure(redirectTo: string, { error, code, description }: Failure): string {
  const to = new URL(redirectTo);
  to.searchParams.set('error', error);
  to.searchParams.set('error_code', code);
  to.searchParams.set('error_description', description);
  return to.href;
}

/** Over https, the prefix of the cookie's name prevents subdomains and plain http from setting it. */
function cookiePrefix({ env }: AuthCore): 'host' | undefined {
  return env.API_URL.startsWith('https:') ? 'host' : undefined;
}

/** Lax: sent when the provider redirects the browser back, which is a navigation. Null removes the cookie. */
function writeFlowCookie(c: Context<AppEnv>, core: AuthCore, state: string, value: string | null): void {
  setCookie(c, describeCookieName(state), value ?? '', {
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
    secure: core.env.API_URL.startsWith('https:'),
    maxAge: value === null ? 0 : flowLifetimesMs.provider / 1000,
    prefix: cookiePrefix(core),
  });
}

function readFlowCookie(c: Context<AppEnv>, core: AuthCore, state: string): string | null {
  const prefix = cookiePrefix(core);
  const name = describeCookieName(state);
  return (prefix ? getCookie(c, name, prefix) : getCookie(c, name)) ?? null;
}
