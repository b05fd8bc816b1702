/**
 * `npm run dev`: the server and the pages, both reloaded when their sources change, with their own data folder
 * (`data-dev/`), a demonstration account and a library. The pages come from Vite, which passes everything else
 * on to the server; mails are on the inbox page. Ctrl-C stops everything; the data stay, and removing the
 * folder starts afresh.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { parseEnv } from '#platform/env.ts';
import { openDatabase } from '#server/database/database.ts';
import { type Call, createAccount, createCall, saveTexts, signIn } from './demonstration.ts';

const root = path.resolve(import.meta.dirname, '..');
const pagesPort = Number(process.env.PORT ?? 5173);
const serverPort = pagesPort + 1;
const serverUrl = `http://localhost:${serverPort}`;
const dataDir = process.env.DATA_DIR ?? path.join(root, 'data-dev');
const account = { email: 'demo@example.com', password: 'wet ink becomes print' };
const settings = {
  LOG_LEVEL: 'warn',
  ...process.env,
  DATA_DIR: dataDir,
  PORT: String(serverPort),
  PUBLIC_URL: `http://localhost:${pagesPort}`,
};

const children: ChildProcess[] = [];
function start(args: string[], env: Record<string, string | undefined>): void {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env });
  child.on('exit', (code) => stop(code ?? 1));
  children.push(child);
}

let isStopping = false;
async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(
    children.map((child) => child.exitCode ?? new Promise((resolve) => child.once('exit', resolve))),
  );
  await database.close();
  process.exit(code);
}

await mkdir(dataDir, { recursive: true });
// held open here, so that PostgreSQL keeps running while the server restarts
const database = await openDatabase(parseEnv(settings));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0));

start(
  [
    '--watch',
    '--watch-preserve-output',
    '--watch-path=server',
    '--watch-path=shared',
    'server/cli/main.ts',
    'serve',
  ],
  settings,
);
start(['node_modules/@react-router/dev/bin.cjs', 'dev', '--port', String(pagesPort), '--strictPort'], {
  ...process.env,
  INKPROOF_API: `http://127.0.0.1:${serverPort}`,
});

while (!(await isReady())) await wait(200);
if (await createAccount({ url: serverUrl, dataDir }, account.email, account.password)) {
  console.log('Filling the library of the demonstration account.');
  const { access_token } = await signIn(serverUrl, account.email, account.password);
  await fillLibrary(createCall(serverUrl, access_token));
}
console.log(`
Pages, reloaded as you write:  http://localhost:${pagesPort}
Sign in as:                    ${account.email}, password "${account.password}"
Mails:                         http://localhost:${pagesPort}/inbox
`);

async function isReady(): Promise<boolean> {
  return fetch(`${serverUrl}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Ten documents, in two folders and outside them. */
async function fillLibrary(call: Call): Promise<void> {
  const createFolder = (name: string) => call<{ id: string }>('POST', '/folders', { name });
  const [mathematics, sciences] = [await createFolder('Mathematics'), await createFolder('Sciences')];
  await saveTexts(
    call,
    [
      { title: 'Limits and integrals', file: 'calculus-limits-integrals' },
      { title: 'Matrices and systems', file: 'linear-algebra-matrices' },
      { title: 'Distributions and Bayes', file: 'probability-table' },
      { title: 'Number theory, sheet 3', file: 'problem-sheet-number-theory' },
    ],
    mathematics.id,
  );
  await saveTexts(
    call,
    [
      { title: 'Mechanics, first week', file: 'physics-mechanics-tikz' },
      { title: 'Cells', file: 'biologie-zusammenfassung' },
      { title: 'Algorithms and kinetics', file: 'algorithms-and-kinetics' },
    ],
    sciences.id,
  );
  await saveTexts(call, [{ title: 'Le subjonctif', file: 'grammaire-subjonctif' }]);
  for (const template of ['lecture-notes', 'homework'])
    await call('POST', '/documents/from-template', { template });
}
