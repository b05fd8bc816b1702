/** Fixes over a compile session: tried before they are reported, and dropped once the text has changed. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { applyFix } from '#latex/log/apply-fix.ts';
import { type ServedRoutes, serveRoutes } from '../testing/serve-routes.ts';
import { openSession, type SessionClient } from '../testing/session-client.ts';

let served: ServedRoutes;
const clients: SessionClient[] = [];
beforeAll(async () => {
  served = await serveRoutes();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
afterAll(() => served.close());

const wrap = (body: string) => `\\documentclass{article}\n\\begin{document}\n${body}\n\\end{document}\n`;

async function openWith(latex: string): Promise<SessionClient> {
  const client = await openSession(served.address);
  clients.push(client);
  client.send({ type: 'open', version: 1, latex });
  expect(await client.final(1)).toMatchObject({ ok: false });
  return client;
}

test('the first error’s fix has been tried, and makes the text compile', async () => {
  const latex = wrap('A letter: $\\alhpa$.');
  const client = await openWith(latex);
  client.send({ type: 'fix', version: 1 });
  const { fixes, of, left } = await client.next('fixes');
  expect({ of, left }).toEqual({ of: 'Undefined control sequence.', left: 0 });
  expect(fixes).toHaveLength(1);
  client.send({ type: 'replace', version: 2, latex: applyFix(latex, fixes[0]!) });
  expect(await client.final(2)).toMatchObject({ ok: true });
});

test('all fixes at once, each for the text left by the one before', async () => {
  const latex = wrap('A \\textbg{word} here.\n\nThe letter $\\alhpa$.\n\n\\begin{itemize}\n\\item One.');
  const client = await openWith(latex);
  client.send({ type: 'fix', version: 1, all: true });
  const { fixes, left } = await client.next('fixes', ({ all }) => all);
  expect(left).toBe(0);
  const fixed = fixes.reduce((text, fix) => applyFix(text, fix)!, latex);
  expect(fixed).toBe(
    wrap('A \\textbf{word} here.\n\nThe letter $\\alpha$.\n\n\\begin{itemize}\n\\item One.\n\\end{itemize}'),
  );
});

test('an edit cancels a request about the earlier text', async () => {
  const client = await openWith(wrap('$\\alhpa$ and \\begin{itemize}\\item One.'));
  client.send({ type: 'fix', version: 1, all: true });
  client.send({ type: 'replace', version: 2, latex: wrap('$\\bteta$') });
  await client.final(2);
  client.send({ type: 'fix', version: 2 });
  const { version, fixes } = await client.next('fixes');
  expect(version).toBe(2);
  expect(fixes[0]?.title).toBe('Change \\bteta to \\beta');
  // nor of a version that no longer exists
  client.send({ type: 'fix', version: 1 });
  client.send({ type: 'fix', version: 2 });
  await client.next('fixes', () => client.received.filter(({ type }) => type === 'fixes').length === 2);
  expect(client.received.every((message) => message.type !== 'fixes' || message.version === 2)).toBe(true);
});
