/** A real server with a real typesetter for the tests of compile sessions; both are gone after them. */
import { afterAll, afterEach, expect } from 'vitest';
import { type ServedRoutes, serveRoutes } from './serve-routes.ts';
import { openSession, type SessionClient } from './session-client.ts';

/** The accounts that may sign in. */
export const tokens = new Map([
  ['token-of-ada', '11111111-1111-4111-8111-111111111111'],
  ['token-of-eve', '22222222-2222-4222-8222-222222222222'],
]);

export const wrap = (body: string): string =>
  `\\documentclass{article}\n\\begin{document}\n${body}\n\\end{document}\n`;
/** Compiles until it is stopped. */
export const endless = wrap('\\loop\\iftrue\\repeat');
/** One pixel, in Base64. */
export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_500 && !condition(); tries++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(condition()).toBe(true);
}

export async function openSessions(): Promise<{
  served: ServedRoutes;
  /** Clients that are closed after each test. */
  clients: SessionClient[];
  open(options?: Parameters<typeof openSession>[1]): Promise<SessionClient>;
}> {
  const served = await serveRoutes({ tokens, sessionLimits: { perOwner: 3 } });
  const clients: SessionClient[] = [];
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await until(() => served.sessions.count === 0);
  });
  afterAll(() => served.close());
  return {
    served,
    clients,
    async open(options) {
      const client = await openSession(served.address, options);
      clients.push(client);
      return client;
    },
  };
}
