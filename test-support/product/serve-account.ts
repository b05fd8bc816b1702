/** An account in a served product, created with the operator's own commands and signed in over HTTP. */
import { randomUUID } from 'node:crypto';
import { runInkproof } from './serve-process.ts';

export interface ServedAccount {
  email: string;
  /** The Authorization header of its session. */
  authorization: string;
}

interface AccountOptions {
  pages?: number;
  /** How commands run: in separate processes, or like `runCommandHere` in the test's. */
  run?: typeof runInkproof;
}

/** With its free 10 pages and 5 AI conversations, and `pages` more. `settings` are the server's. */
export async function createServedAccount(
  address: string,
  settings: Record<string, string>,
  { pages = 0, run = runInkproof }: AccountOptions = {},
): Promise<ServedAccount> {
  const email = `ada-${randomUUID()}@example.com`;
  const password = 'ink on paper, twice';
  const commands = [['user', 'create', email, '--password', password, '--confirmed']];
  if (pages > 0) commands.push(['credits', 'grant', email, '--pages', String(pages)]);
  for (const words of commands) {
    const { code, stderr } = await run(words, settings);
    if (code !== 0) throw new Error(`inkproof ${words.slice(0, 2).join(' ')} failed: ${stderr}`);
  }
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
