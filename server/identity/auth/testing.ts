/** For tests of /auth/v1 over plain HTTP: the whole server, its mails, and the calls that every test makes. */
import path from 'node:path';
import pg from 'pg';
import { type KeptMail, openLocalInbox } from '#server/mail/local-inbox.ts';
import { startTestServer, type TestServer } from '../../../test-support/product/server.ts';

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tests check the format of the responses themselves
  body: any;
  headers: Headers;
}

export interface AuthRig {
  server: TestServer;
  sql: pg.Pool;
  /** `path` below /auth/v1. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Mails to an address, oldest first, once at least `count` have arrived. */
  mailsTo(address: string, count?: number): Promise<KeptMail[]>;
  /** The token in the newest mail of a purpose. */
  tokenFrom(address: string, purpose: string, count?: number): Promise<string>;
  signUp(email: string, password: string): Promise<Answer>;
  /** Signs up and follows the link. */
  createUser(email: string, password?: string): Promise<Answer['body']>;
  signIn(email: string, password: string, options?: CallOptions): Promise<Answer>;
  refresh(token: string): Promise<Answer>;
  close(): Promise<void>;
}

interface CallOptions {
  body?: unknown;
  token?: string;
  headers?: Record<string, string>;
}

export const goodPassword = 'correct horse battery';

export async function startAuthRig(settings: Record<string, string> = {}): Promise<AuthRig> {
  const server = await startTestServer({ ROLES: 'web', AUTH_LIMIT_FACTOR: '1000', ...settings });
  const sql = new pg.Pool({ connectionString: server.databaseUrl, max: 3 });
  const call: AuthRig['call'] = async (method, address, { body, token, headers } = {}) => {
    const answer = await fetch(`${server.address}/auth/v1${address}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text), headers: answer.headers };
  };
  const inbox = openLocalInbox(path.join(server.dataDir, 'inbox'));
  const rig: AuthRig = {
    server,
    sql,
    call,
    async mailsTo(address, count = 1) {
      for (let tries = 0; tries < 400; tries++) {
        const mails = (await inbox.list()).filter((mail) => mail.to === address).toReversed();
        if (mails.length >= count) return mails;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error(`no ${count} mails came to ${address}`);
    },
    async tokenFrom(address, purpose, count = 1) {
      const mails = await rig.mailsTo(address, count);
      const mail = mails.findLast((one) => one.purpose === purpose);
      const token = /token_hash=([\w-]+)/.exec(mail?.text ?? '')?.[1];
      if (!token) throw new Error(`no ${purpose} mail with a token among ${mails.map((one) => one.purpose)}`);
      return token;
    },
    signUp: (email, password) => call('POST', '/signup', { body: { email, password } }),
    async createUser(email, password = goodPassword) {
      const made = await rig.signUp(email, password);
      if (made.status !== 200) throw new Error(`sign-up answered ${JSON.stringify(made.body)}`);
      const token_hash = await rig.tokenFrom(email, 'signup');
      const verified = await call('POST', '/verify', { body: { type: 'signup', token_hash } });
      if (verified.status !== 200) throw new Error(`verify answered ${JSON.stringify(verified.body)}`);
      return verified.body;
    },
    signIn: (email, password, options) =>
      call('POST', '/token?grant_type=password', { ...options, body: { email, password } }),
    refresh: (token) => call('POST', '/token?grant_type=refresh_token', { body: { refresh_token: token } }),
    async close() {
      await sql.end();
      await server.close();
    },
  };
  return rig;
}
