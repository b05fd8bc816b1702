/**
 * An OpenID provider on loopback that stands in for Google: discovery, consent (given at once), codes that work
 * once and enforce PKCE, keys, ID tokens. A test says who signs in and, to check that wrong tokens are refused,
 * how the token is forged.
 */

import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  base64url,
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';

export interface ForgeTools {
  claims: JWTPayload;
  /** Signs with the published key, or with another one if given. */
  sign(
    claims: JWTPayload,
    options?: { key?: CryptoKey | Uint8Array; header?: { alg?: string; kid?: string } },
  ): Promise<string>;
  /** A key that is published nowhere. */
  otherKey: CryptoKey;
  /** The published key as PEM, which a careless verifier would use as a shared secret. */
  publicPem: Uint8Array;
  /** A token without a signature. */
  unsigned(claims: JWTPayload): string;
}

export interface OidcStandIn {
  /** For GOOGLE_ISSUER. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Who signs in: the claims of the next tokens in addition to the protocol's own. */
  person: Record<string, unknown>;
  /** Makes the next ID tokens instead of honest ones. */
  forge: ((tools: ForgeTools) => Promise<string>) | null;
  /** The response to the next visits to the consent page, e.g. `access_denied`. */
  refuseWith: string | null;
  /** Codes that were exchanged for tokens. */
  exchanges: number;
  /** Goes through consent as a browser would: returns the address to which the provider sends the person back. */
  consent(authorizeUrl: string): Promise<URL>;
  close(): Promise<void>;
}

interface Grant {
  redirectUri: string;
  nonce: string;
  challenge: string;
}

/** Redirects go only to this path, under any loopback address. */
const callbackPath = '/auth/v1/callback';

export async function startOidcStandIn(): Promise<OidcStandIn> {
  const published = await generateKeyPair('RS256');
  const other = await generateKeyPair('RS256');
  const kid = randomBytes(6).toString('hex');
  const jwk: JWK = { ...(await exportJWK(published.publicKey)), kid, alg: 'RS256', use: 'sig' };
  const publicPem = new TextEncoder().encode(await exportSPKI(published.publicKey));
  const grants = new Map<string, Grant>();

  const server: Server = createServer((request, response) => {
    answer(request, response).catch(() => sendJson(response, 500, { error: 'server_error' }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const standIn: OidcStandIn = {
    issuer,
    clientId: 'inkproof-test.apps.example.com',
    clientSecret: randomBytes(16).toString('hex'),
    person: {},
    forge: null,
    refuseWith: null,
    exchanges: 0,
    async consent(authorizeUrl) {
      const answered = await fetch(authorizeUrl, { redirect: 'manual' });
      const location = answered.headers.get('Location');
      if (!location) throw new Error(`the provider refused: ${await answered.text()}`);
      return new URL(location);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', issuer);
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return sendJson(response, 200, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
          code_challenge_methods_supported: ['S256'],
        });
      case '/keys':
        return sendJson(response, 200, { keys: [jwk] });
      case '/authorize':
        return authorize(url.searchParams, response);
      case '/token':
        return giveToken(request, await readForm(request), response);
      default:
        return sendJson(response, 404, { error: 'not_found' });
    }
  };

  const authorize = (query: URLSearchParams, response: ServerResponse) => {
    const given = (name: string) => query.get(name) ?? '';
    const redirect = URL.parse(given('redirect_uri'));
    const isWhole =
      given('client_id') === standIn.clientId &&
      given('response_type') === 'code' &&
      given('scope').split(' ').includes('openid') &&
      given('code_challenge_method') === 'S256' &&
      given('code_challenge') !== '' &&
      given('nonce') !== '' &&
      given('state') !== '' &&
      redirect?.pathname === callbackPath;
    if (!isWhole || redirect === null) return sendJson(response, 400, { error: 'invalid_request' });
    redirect.searchParams.set('state', given('state'));
    if (standIn.refuseWith !== null) {
      redirect.searchParams.set('error', standIn.refuseWith);
    } else {
      const code = randomBytes(16).toString('hex');
      const challenge = given('code_challenge');
      grants.set(code, { redirectUri: given('redirect_uri'), nonce: given('nonce'), challenge });
      redirect.searchParams.set('code', code);
    }
    response.writeHead(302, { Location: redirect.href }).end();
  };

  const giveToken = async (request: IncomingMessage, form: URLSearchParams, response: ServerResponse) => {
    if (!isOurClient(request, form, standIn)) return sendJson(response, 401, { error: 'invalid_client' });
    const code = form.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!grant || grant.redirectUri !== form.get('redirect_uri') || grant.challenge !== challenge)
      return sendJson(response, 400, { error: 'invalid_grant' });
    standIn.exchanges += 1;
    const accessToken = randomBytes(16).toString('hex');
    const now = Math.floor(Date.now() / 1000);
    const claims: JWTPayload = {
      iss: issuer,
      aud: standIn.clientId,
      azp: standIn.clientId,
      iat: now,
      exp: now + 3600,
      nonce: grant.nonce,
      at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
      ...standIn.person,
    };
    const sign: ForgeTools['sign'] = (signed, { key = published.privateKey, header = {} } = {}) =>
      new SignJWT(signed).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(key);
    const unsigned = (signed: JWTPayload) =>
      `${[{ alg: 'none' }, signed].map((part) => base64url.encode(JSON.stringify(part))).join('.')}.`;
    const tools: ForgeTools = { claims, sign, otherKey: other.privateKey, publicPem, unsigned };
    sendJson(response, 200, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid email profile',
      id_token: await (standIn.forge?.(tools) ?? sign(claims)),
    });
  };

  return standIn;
}

function isOurClient(
  request: IncomingMessage,
  form: URLSearchParams,
  { clientId, clientSecret }: Pick<OidcStandIn, 'clientId' | 'clientSecret'>,
): boolean {
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  const [id, secret] = basic
    ? Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent)
    : [form.get('client_id'), form.get('client_secret')];
  return id === clientId && secret === clientSecret;
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await text(request));
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
