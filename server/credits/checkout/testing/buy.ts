/** Helpers that buy over HTTP, for tests. */
import type { BillingHistory } from '#shared/api/billing.ts';
import type { IdentityServer, TestAccount } from '../../../../test-support/product/identity.ts';

export interface Answer {
  status: number;
  body: Record<string, unknown>;
  text: string;
}

/** Calls the API once, as this account or as nobody. */
export async function ask(
  server: IdentityServer,
  account: TestAccount | null,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await server.call(account, method, path, body);
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : {}, text };
}

export const begin = (server: IdentityServer, account: TestAccount | null, body: object) =>
  ask(server, account, 'POST', '/create-checkout-session', body);

/** Pages, AI conversations. */
export async function balanceOf(server: IdentityServer, { id }: TestAccount): Promise<[number, number]> {
  const [row] = await server.sql<{ pages: number; chats: number }>(
    'SELECT conversion_credits AS pages, assistant_credits AS chats FROM user_credits WHERE user_id = $1',
    [id],
  );
  return [row!.pages, row!.chats];
}

export const historyOf = async (server: IdentityServer, account: TestAccount) =>
  (await ask(server, account, 'GET', '/billing')).body as unknown as BillingHistory;
