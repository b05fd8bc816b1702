/**
 * An account with a library, created by the commands and calls available to everybody. For `npm run dev`, the
 * film and the pictures.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '..');

/** A title and the file of `fixtures/pdf` that the text is read from. */
export interface DemonstrationText {
  title: string;
  file: string;
}

/** What the command line needs to reach a running product. */
export interface ProductPlace {
  url: string;
  dataDir: string;
}

export type Call = <T>(method: string, address: string, body?: unknown) => Promise<T>;

/** `./inkproof user create`: false if the account already exists. */
export async function createAccount(
  { url, dataDir }: ProductPlace,
  email: string,
  password: string,
): Promise<boolean> {
  const { PATH, HOME } = process.env;
  const words = ['user', 'create', email, '--password', password, '--confirmed'];
  try {
    await promisify(execFile)(process.execPath, ['server/cli/main.ts', ...words], {
      cwd: root,
      env: { PATH, HOME, DATA_DIR: dataDir, PUBLIC_URL: url },
    });
    return true;
  } catch (error) {
    if (/already/i.test((error as { stderr?: string }).stderr ?? '')) return false;
    throw error;
  }
}

/** @returns a session as stored by the browser */
export async function signIn(
  url: string,
  email: string,
  password: string,
): Promise<{ access_token: string }> {
  const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', apikey: await findAnonKey(url) },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`Signing in answered ${answer.status}.`);
  return answer.json();
}

async function findAnonKey(url: string): Promise<string> {
  const { identity } = await (await fetch(`${url}/api/v1/config`)).json();
  return identity.anon_key;
}

/** Calls of the API in the account's name. */
export function createCall(url: string, token: string): Call {
  return async (method, address, body) => {
    const answer = await fetch(`${url}/api/v1${address}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
}

/** Saves each text as a document. @param folderId null: outside every folder */
export async function saveTexts(
  call: Call,
  texts: readonly DemonstrationText[],
  folderId: string | null = null,
): Promise<void> {
  for (const { title, file } of texts) {
    const latex = readFileSync(path.join(root, `fixtures/pdf/${file}.tex`), 'utf8');
    await call('POST', '/documents', { title, latex, ...(folderId === null ? {} : { folder_id: folderId }) });
  }
}
