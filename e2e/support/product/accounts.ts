/** Accounts in the products under test, created as people do, through the mails. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContext } from '@playwright/test';
import { compileCache } from '../../../test-support/product/compile-cache.ts';
import { elsewhere, main } from './addresses.ts';

export const password = 'wet ink becomes print';

/** For `test.use(visitor)`: nobody is signed in. */
export const visitor = { storageState: { cookies: [], origins: [] } };

/** An address that no other test uses. */
export function makeAddress(): string {
  return `ada-${randomBytes(5).toString('hex')}@example.com`;
}

/** Runs `./inkproof user …` while the product runs. */
export async function runUserCommand(address: typeof main, ...words: string[]): Promise<void> {
  await runCommand(address, 'user', ...words);
}

/** Gives an account credits, as an operator does. */
export async function grantCredits(
  address: typeof main,
  email: string,
  { pages, assistant }: { pages: number; assistant: number },
): Promise<void> {
  const amounts = ['--pages', String(pages), '--assistant', String(assistant)];
  await runCommand(address, 'credits', 'grant', email, ...amounts);
}

/** Runs `./inkproof …` while the product runs. */
async function runCommand(address: typeof main, ...words: string[]): Promise<void> {
  const root = path.resolve(import.meta.dirname, '../../..');
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    ...compileCache,
    DATA_DIR: readFileSync(address.dataDirFile, 'utf8'),
    PUBLIC_URL: address.url,
    API_URL: address.apiUrl,
  };
  await promisify(execFile)(process.execPath, ['server/cli/main.ts', ...words], { cwd: root, env });
}

/**
 * Creates an account by the calls that the browser makes when somebody signs up and opens the mail, which takes
 * a fraction of a command's time. Its session is the first that `signIn` returns. @returns its address; the
 * password is `password`
 */
export async function createAccount(
  options: { address?: typeof main; isConfirmed?: boolean } = {},
): Promise<string> {
  const { address = main, isConfirmed = true } = options;
  const email = makeAddress();
  await callIdentity(address, '/signup', { body: { email, password } });
  if (!isConfirmed) return email;
  const link = new URL(await followMail(email, 'signup', address));
  const token_hash = link.searchParams.get('token_hash');
  sessions.set(email, await callIdentity(address, '/verify', { body: { type: 'signup', token_hash } }));
  return email;
}

/** Sessions from opening the mail, by address, of accounts that nobody has signed in to yet. */
const sessions = new Map<string, Record<string, unknown>>();

/** A new session at every call, as stored by the browser's client. */
export async function signIn(address: typeof main, email: string): Promise<Record<string, unknown>> {
  const first = sessions.get(email);
  if (first !== undefined && sessions.delete(email)) return first;
  return callIdentity(address, '/token?grant_type=password', { body: { email, password } });
}

/** @returns the response's JSON; nothing for an empty one */
async function callIdentity(
  address: typeof main,
  path: string,
  { body }: { body: object },
): Promise<Record<string, unknown>> {
  const { identity } = await (await fetch(`${address.apiUrl}/api/v1/config`)).json();
  const response = await fetch(`${identity.url}/auth/v1${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      apikey: identity.anon_key,
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return text === '' ? {} : JSON.parse(text);
}

/** What a signed-in browser stores for one product. */
export async function storageOf(address: typeof main, email: string) {
  const session = JSON.stringify(await signIn(address, email));
  return { origin: address.url, localStorage: [{ name: 'inkproof-auth', value: session }] };
}

/** Another browser, signed in to an account or signed out. */
export async function openBrowser(browser: Browser, email: string | null): Promise<BrowserContext> {
  const origins = email ? [await storageOf(main, email)] : [];
  return browser.newContext({ storageState: { cookies: [], origins }, baseURL: main.url });
}

interface LocalMail {
  to: string;
  subject: string;
  text: string;
}

/** The link in the newest mail to this address that has one of this kind; waits for it. */
export async function followMail(
  to: string,
  type: 'signup' | 'recovery' | 'email_change',
  { apiUrl } = main,
): Promise<string> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const answer = await fetch(`${apiUrl}/inbox/mails.json?to=${encodeURIComponent(to)}`);
    const mails = (await answer.json()) as LocalMail[];
    for (const mail of mails) {
      const link = mail.text.match(/https?:\/\/\S*token_hash=\S+/)?.[0];
      if (link && new URL(link).searchParams.get('type') === type) return link;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no mail of type ${type} came to ${to}`);
}

export { elsewhere, main };
