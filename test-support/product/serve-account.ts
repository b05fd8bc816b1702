/** An account at a served product, made with the operator's own commands and signed in over HTTP. */
import { randomUUID } from 'node:crypto';
import { runInkproof } from './serve-process.ts';

export interface ServedAccount {
  email: string;
  /** The Authorization header of its session. */
  authorization: string;
}

/** With its free 10 pages and 5 AI conversations, and `pages` more. `settings` are those of the server. */
export async function createServedAccount(
  address: string,
  settings: Record<string, string>,
  { pages = 0 } = {},
): Promise<ServedAccount> {
  const email = `ada-${randomUUID()}@example.com`;
  const password = 'ink on paper, twice';
  await run(['user', 'create', email, '--password', '-', '--confirmed'], settings, `${password}\n`);
  if (pages > 0) await run(['credits', 'grant', email, '--pages', String(pages)], settings);
  const config = await (await fetch(new URL('/api/v1/config', address))).json();
  const answer = await fetch(new URL('/auth/v1/token?grant_type=password', address), {
    method: 'POST',
    headers: { apikey: config.identity.anon_key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { access_token: token } = (await answer.json()) as { access_token?: string };
  if (!token) throw new Error(`nobody could sign in: ${answer.status}`);
  return { email, authorization: `Bearer ${token}` };
}

async function run(args: string[], settings: Record<string, string>, input?: string): Promise<void> {
  const { code, stderr } = await runInkproof(args, settings, input);
  if (code !== 0) throw new Error(`inkproof ${args.slice(0, 2).join(' ')} failed: ${stderr}`);
}
