/** The whole product with its embedded identity, a mailbox, and accounts created the way people create them. */

import { randomBytes } from 'node:crypto';
import type { Session } from '@supabase/supabase-js';
import type pg from 'pg';
import { vi } from 'vitest';
import { createPool } from '#server/database/pool.ts';
import { type Mailbox, startMailbox } from '../stand-ins/identity-mailbox.ts';
import { type IdentityClient, openIdentityClient } from './identity-client.ts';
import { startTestServer, type TestServer } from './server.ts';

export interface TestAccount {
  /** Signed in. */
  client: IdentityClient;
  id: string;
  email: string;
  password: string;
}

export interface IdentityServer extends Omit<TestServer, 'close'> {
  mailbox: Mailbox;
  /** As sent to the browser: base address of the protocol and the anonymous key. */
  url: string;
  key: string;
  /** Reads the database, or changes it behind the product's back. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** A separate client; closed with the server. */
  open(options?: Partial<Parameters<typeof openIdentityClient>[0]>): IdentityClient;
  /** Signs up and opens the mail's link: two requests and one mail, no shortcut. */
  createAccount(options?: { email?: string; password?: string }): Promise<TestAccount>;
  /** Another sign-in to the same account, in a separate browser. */
  signIn(account: Pick<TestAccount, 'email' | 'password'>): Promise<IdentityClient>;
  /** A request to /auth/v1 without the client library. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Calls the API as this account, or signed out: with JSON, a form or bytes. */
  call(
    account: Pick<TestAccount, 'client'> | null,
    method: string,
    path: string,
    body?: object,
    signal?: AbortSignal,
  ): Promise<Response>;
  /** The API's response to this token: its status and error code. */
  callApi(token: string): Promise<{ status: number; code: string | null }>;
  close(): Promise<void>;
}

export interface Answer {
  status: number;
  // a foreign protocol's body, read field by field
  body: Record<string, unknown>;
  headers: Headers;
}

export const testPassword = 'correct horse battery staple';

/** An address that nobody else in this run uses. */
export function makeAddress(): string {
  return `ada-${randomBytes(5).toString('hex')}@example.com`;
}

export async function startIdentityServer(settings: Record<string, string> = {}): Promise<IdentityServer> {
  const mailbox = await startMailbox();
  const server = await startTestServer({ SMTP_URL: mailbox.url, AUTH_LIMIT_FACTOR: '1000', ...settings });
  const config = await (await fetch(new URL('/api/v1/config', server.address))).json();
  const { url, anon_key: key } = config.identity as { url: string; anon_key: string };
  const pool = createPool(server.databaseUrl);
  const clients: IdentityClient[] = [];

  const open: IdentityServer['open'] = (options = {}) => {
    const client = openIdentityClient({ url, key, ...options });
    clients.push(client);
    return client;
  };
  return {
    ...server,
    mailbox,
    url,
    key,
    open,
    sql: async (text, values) => (await pool.query(text, values)).rows,
    async createAccount({ email = makeAddress(), password = testPassword } = {}) {
      const client = open();
      const signedUp = await client.auth.signUp({ email, password });
      if (signedUp.error) throw signedUp.error;
      const mail = await mailbox.take(email, 'signup');
      const { data, error } = await client.auth.verifyOtp({ token_hash: tokenOf(mail), type: 'signup' });
      if (error) throw error;
      return { client, id: data.user?.id ?? '', email, password };
    },
    async signIn({ email, password }) {
      const client = open();
      const { error } = await client.auth.signInWithPassword({ email, password });
      if (error) throw error;
      return client;
    },
    async post(path, body, headers = {}) {
      const response = await fetch(`${url}/auth/v1${path}`, {
        method: 'POST',
        headers: { apikey: key, 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      return { status: response.status, body: text ? JSON.parse(text) : {}, headers: response.headers };
    },
    call(account, method, path, body, signal) {
      const isJson = body !== undefined && !(body instanceof FormData || body instanceof Uint8Array);
      return fetch(new URL(`/api/v1${path}`, server.address), {
        method,
        headers: {
          ...(account && bearerOf(account.client)),
          ...(isJson && { 'Content-Type': 'application/json' }),
          ...(body instanceof Uint8Array && { 'Content-Type': 'application/octet-stream' }),
        },
        body: isJson ? JSON.stringify(body) : (body as BodyInit | undefined),
        signal,
      });
    },
    async callApi(token) {
      const response = await fetch(new URL('/api/v1/account/sessions', server.address), {
        headers: { Authorization: `Bearer ${token}` },
      });
      const body = await response.json();
      return { status: response.status, code: body.code ?? null };
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      await pool.end();
      await server.close();
      await mailbox.close();
    },
  };
}

/** The token in the mail's link. @throws if there is no link in it */
export function tokenOf(mail: { link: URL | null }): string {
  const token = mail.link?.searchParams.get('token_hash');
  if (!token) throw new Error('the mail has no link');
  return token;
}

/** The stored session. @throws if nobody is signed in */
export function sessionOf(client: IdentityClient): Session {
  const session = client.stored();
  if (!session) throw new Error('nobody is signed in');
  return session;
}

/** What an access token claims, unverified. */
export function claimsOf(token: string | undefined): Record<string, unknown> {
  return JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString());
}

export const bearerOf = (client: IdentityClient): { Authorization: string } => ({
  Authorization: `Bearer ${sessionOf(client).access_token}`,
});

/** Repeats the check until it holds; the limit only ends a test that never would. */
export function waitUntil(check: () => unknown): Promise<unknown> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 });
}

/** Does the same thing many times at once. */
export async function race<Result>(
  times: number,
  act: (index: number) => Promise<Result>,
): Promise<Result[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => act(index)));
}
