/** Google as an OpenID provider: builds the authorization URL and exchanges the returned code for a profile. */
import { createHash, timingSafeEqual } from 'node:crypto';
import * as oidc from 'openid-client';
import { z } from 'zod';
import { isLoopbackName } from '#server/http/request/loopback.ts';

/** What a flow stores until the user returns. */
export interface GoogleChecks {
  state: string;
  nonce: string;
  /** Our PKCE verifier; the provider receives its hash. */
  codeVerifier: string;
}

/** The person that a valid ID token identifies. */
export interface GoogleProfile {
  /** Google's id of the account; never changes, unlike the address. */
  sub: string;
  /** Null when the token has none. */
  email: string | null;
  /** True only for the token's boolean `true`. */
  isEmailVerified: boolean;
  issuer: string;
}

type GoogleVerdict =
  | { kind: 'verified'; profile: GoogleProfile }
  /** The code, the token or one of its claims does not match this flow. */
  | { kind: 'refused'; error: unknown }
  /** Google could not be reached. */
  | { kind: 'unreachable'; error: unknown };

export interface GoogleClient {
  /** @throws when discovery fails */
  describeAuthorizeUrl(checks: GoogleChecks): Promise<string>;
  /** @param search the callback's query string, with `?` */
  exchange(search: string, checks: GoogleChecks): Promise<GoogleVerdict>;
}

interface GoogleClientOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** `${API_URL}/auth/v1/callback`, as registered with Google. */
  redirectUri: string;
}

/** Algorithms with which only the issuer can sign: never `none` or shared secrets (HS…). */
const signatures = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'];
/** The discovery document is fetched again after this time; the library manages key sets. */
const discoveryLifetimeMs = 60 * 60_000;
/** For the times in the ID token, because clocks differ. */
const clockToleranceSeconds = 30;

const Claims = z.object({
  sub: z.string().min(1).max(255),
  azp: z.string().optional(),
  iat: z.number(),
  exp: z.number(),
  iss: z.string(),
  at_hash: z.string().optional(),
  email: z.string().min(3).max(255).optional(),
  email_verified: z.unknown().optional(),
});

/** Sends nothing before the first sign-in. @throws Error for an `http:` issuer that is not on this machine */
export function createGoogleClient(options: GoogleClientOptions): GoogleClient {
  const issuer = new URL(options.issuer);
  const isPlain = issuer.protocol === 'http:';
  if (isPlain && !isLoopbackName(issuer.hostname))
    throw new Error('GOOGLE_ISSUER must be an https: address.');
  let discovered: { at: number; config: Promise<oidc.Configuration> } | null = null;

  const getConfig = () => {
    if (discovered && Date.now() - discovered.at < discoveryLifetimeMs) return discovered.config;
    const config = oidc.discovery(
      issuer,
      options.clientId,
      { [oidc.clockTolerance]: clockToleranceSeconds },
      oidc.ClientSecretPost(options.clientSecret),
      {
        timeout: 10,
        // check the signature although the token comes directly from the issuer
        execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
      },
    );
    const entry = { at: Date.now(), config };
    discovered = entry;
    config.catch(() => {
      if (discovered === entry) discovered = null;
    });
    return config;
  };

  return {
    async describeAuthorizeUrl({ state, nonce, codeVerifier }) {
      return oidc.buildAuthorizationUrl(await getConfig(), {
        redirect_uri: options.redirectUri,
        // only the address is needed, neither name nor picture
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        // lets people with several Google accounts choose one
        prompt: 'select_account',
      }).href;
    },
    async exchange(search, { state, nonce, codeVerifier }) {
      let config: oidc.Configuration;
      try {
        config = await getConfig();
      } catch (error) {
        return { kind: 'unreachable', error };
      }
      try {
        const tokens = await oidc.authorizationCodeGrant(config, new URL(`${options.redirectUri}${search}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const profile = readProfile(
          tokens.id_token ?? '',
          tokens.access_token,
          tokens.claims(),
          options.clientId,
        );
        return { kind: 'verified', profile };
      } catch (error) {
        return { kind: isNetworkFault(error) ? 'unreachable' : 'refused', error };
      }
    },
  };
}

/** Checks what the library does not. @throws Error naming the claim */
function readProfile(idToken: string, accessToken: string, given: unknown, clientId: string): GoogleProfile {
  const claims = Claims.parse(given);
  const { alg } = z
    .object({ alg: z.string() })
    .parse(JSON.parse(Buffer.from(idToken.split('.')[0] ?? '', 'base64url').toString()));
  if (!signatures.includes(alg)) throw new Error('alg');
  if (claims.azp !== undefined && claims.azp !== clientId) throw new Error('azp');
  if (claims.iat * 1000 > Date.now() + clockToleranceSeconds * 1000) throw new Error('iat');
  if (claims.at_hash !== undefined && !isHashOf(claims.at_hash, accessToken, alg)) throw new Error('at_hash');
  return {
    sub: claims.sub,
    email: claims.email ?? null,
    isEmailVerified: claims.email_verified === true,
    issuer: claims.iss,
  };
}

/** OpenID Connect Core, 3.1.3.6: the left half of the hash that belongs to the signature's algorithm. */
function isHashOf(atHash: string, accessToken: string, alg: string): boolean {
  const digest = createHash(`sha${alg.slice(-3)}`)
    .update(accessToken)
    .digest();
  const expected = Buffer.from(digest.subarray(0, digest.length / 2).toString('base64url'));
  const given = Buffer.from(atHash);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function isNetworkFault(error: unknown): boolean {
  const { name, code, cause } = error as { name?: string; code?: string; cause?: unknown };
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'OAUTH_TIMEOUT') return true;
  return cause instanceof Error && 'syscall' in cause;
}
