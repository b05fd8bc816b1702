/**
 * A day at the product in one process, for a test that watches what it does: `node
 * test-support/product/use-product.ts FOLDER` serves it with the data in FOLDER, signs up, converts a PDF, a
 * scan and handwriting, compiles, saves and exports, requests prices from a public address and stops. Prints
 * one JSON line: the steps taken, and the contents of the home folder afterwards.
 */
import { openAsBlob, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { drawHandwriting } from '#reading/ink/testing/handwriting.ts';
import { startServeProcess } from './serve-process.ts';

const fixtures = path.join(import.meta.dirname, '../../fixtures');
const dataDir = process.argv[2]!;
const email = 'ada@example.com';
const password = 'ink on paper, twice';
const steps: string[] = [];

const server = await startServeProcess({ DATA_DIR: dataDir, TRUSTED_PROXIES: '1' });
const call = async (step: string, route: string, init: RequestInit = {}) => {
  const answer = await fetch(new URL(route, server.address), init);
  const body = Buffer.from(await answer.arrayBuffer());
  if (!answer.ok) throw new Error(`${step}: ${answer.status} ${body}`);
  steps.push(step);
  return body;
};
const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

// a mail arrives after its response has been sent
const findLink = async (): Promise<URL> => {
  for (;;) {
    const mails = JSON.parse((await call('mail', `/inbox/mails.json?to=${email}`)).toString());
    if (mails.length > 0) return new URL(/https?:\/\/\S+token_hash=\S+/.exec(mails[0].text)![0]);
    await setTimeout(50);
  }
};

const config = JSON.parse((await call('settings', '/api/v1/config')).toString());
const apikey: string = config.identity.anon_key;
await call('sign-up', '/auth/v1/signup', post({ email, password }, { apikey }));
const link = await findLink();
const { token_hash, type } = Object.fromEntries(link.searchParams);
await call('confirmation', '/auth/v1/verify', post({ token_hash, type }, { apikey }));
const session = await call(
  'sign-in',
  '/auth/v1/token?grant_type=password',
  post({ email, password }, { apikey }),
);
const Authorization = `Bearer ${JSON.parse(session.toString()).access_token}`;

const scan = await openAsBlob(path.join(fixtures, 'images/linear-algebra-matrices-p1-crop-cmyk.jpg'));
const pdf = await openAsBlob(path.join(fixtures, 'pdf/probability-table.pdf'));
const ink = new Blob([new Uint8Array(await drawHandwriting(['the sum is small']))]);
let latex = '';
for (const [name, file] of Object.entries({ 'notes.pdf': pdf, 'scan.jpg': scan, 'ink.png': ink })) {
  const body = new FormData();
  body.append('file', file, name);
  const answer = await call(name, '/api/v1/process', { method: 'POST', body, headers: { Authorization } });
  ({ latex } = JSON.parse(answer.toString()));
}
await call('compile', '/api/v1/compile', post({ latex }, { Authorization }));
const document = await call('keep', '/api/v1/documents', post({ latex, title: 'Notes' }, { Authorization }));
const { id } = JSON.parse(document.toString());
for (const format of ['zip', 'pdf', 'docx', 'html'])
  await call(format, `/api/v1/documents/${id}/export?format=${format}`, { headers: { Authorization } });
await call('library', '/api/v1/library/export', { headers: { Authorization } });
await call('prices', '/api/v1/country', { headers: { 'X-Forwarded-For': '198.41.0.4' } });
await server.stop();

const home = os.userInfo().homedir;
const left = readdirSync(home, { recursive: true, withFileTypes: true })
  .filter(
    (entry) => entry.isFile() && !entry.parentPath.startsWith(path.resolve(import.meta.dirname, '../..')),
  )
  .map(({ parentPath, name }) => path.join(parentPath, name));
process.stdout.write(`${JSON.stringify({ steps, left })}\n`);
