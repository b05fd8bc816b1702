/**
 * People at work on a library of 10,000 documents, over HTTP against the product as installed: 20, then 200
 * sessions for a minute each; every one lists, opens, saves, searches and asks for its account, with two
 * seconds between two calls. `/healthz` is called meanwhile as the control. Then 200 idle live connections.
 * Prints p95 of each call, errors, database connections and memory before, during and after.
 * `SESSIONS_DOCUMENTS`, `SESSIONS_SECONDS`, `SESSIONS` (comma list) change the sizes. Ratio: p95 of all calls
 * with the most sessions, to that with the fewest.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import { WebSocket } from 'ws';
import { parseEnv } from '#platform/env.ts';
import { openDatabase } from '#server/database/database.ts';
import { runCommandHere } from '../test-support/product/run-command.ts';
import { createServedAccount, type ServedAccount } from '../test-support/product/serve-account.ts';
import { installed, startServeProcess } from '../test-support/product/serve-process.ts';
import { createRandom } from '../test-support/random.ts';
import { readTreeMemory } from './memory/tree-memory.ts';
import { vocabulary, writeDocument } from './search/documents.ts';
import { type Measurement, percentile } from './support/measurement.ts';
import { descendantsOf, kindOf, watchProcesses } from './support/processes.ts';

const documents = Number(process.env.SESSIONS_DOCUMENTS ?? 10_000);
const seconds = Number(process.env.SESSIONS_SECONDS ?? 60);
const sizes = (process.env.SESSIONS ?? '20,200').split(',').map(Number);
const perAccount = 200;
const restingStreams = 200;
/** Between two calls of a session, ms; random from a half of it to one and a half. */
const pauseMs = 2_000;
const controlEveryMs = 100;
/** Idle helpers end, and idle connections are closed, within this. */
const settleMs = 75_000;

interface Session extends ServedAccount {
  ids: string[];
}

interface Call {
  kind: string;
  ms: number;
  status: number;
}

export async function measure(): Promise<Measurement> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'inkproof-bench-'));
  // traversable for the database's user, or the cluster would be put elsewhere and stay there
  await chmod(folder, 0o711);
  const settings = { DATA_DIR: path.join(folder, 'data'), LOG_LEVEL: 'warn' };
  const server = await startServeProcess(settings, installed);
  const url = server.address.replace('localhost', '127.0.0.1');
  const pid = server.child.pid!;
  const details: Record<string, string> = { load: os.loadavg()[0]!.toFixed(1) };
  try {
    const accounts = await fill(url, settings);
    await sleep(settleMs);
    details['at rest, before'] = await describeState(pid);
    const p95s: number[] = [];
    for (const size of sizes) {
      const watch = await watchProcesses(pid);
      const calls = await work(url, accounts, size);
      const busy = await describeState(pid);
      const { cpuMs } = await watch.stop();
      const own = calls.filter(({ kind }) => kind !== 'healthz');
      p95s.push(p95(own));
      const cpu = cpuMs.reduce((sum, [, ms]) => sum + ms, 0);
      details[`${size} sessions`] =
        `${own.length} calls in ${seconds} s, ${(cpu / own.length).toFixed(1)} ms of CPU a call (${cpuMs
          .filter(([, ms]) => ms > cpu / 50)
          .map(([kind, ms]) => `${kind} ${Math.round((100 * ms) / cpu)} %`)
          .join(', ')}); ${describeStatuses(own)}`;
      details[`${size} sessions: p95, ms (over that of /healthz)`] = describeKinds(calls);
      details[`${size} sessions: after a minute of work`] = busy;
    }
    await untilNone(settings, sql`select count(*) as due from documents where compiled_version < version`);
    await sleep(settleMs);
    details['at rest, when all that was saved is compiled'] = await describeState(pid);
    details[`${restingStreams} live connections`] = await holdStreams(url, pid);
    await sleep(settleMs);
    details['after they are closed'] = await describeState(pid);
    return {
      ratio: p95s.at(-1)! / p95s[0]!,
      baseline: `p95 of ${sizes[0]} sessions, ${p95s[0]!.toFixed(1)} ms`,
      details,
    };
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Accounts with documents that were compiled long ago; the product indexes them itself. */
async function fill(url: string, settings: Record<string, string>): Promise<Session[]> {
  const accounts: Session[] = [];
  for (let first = 0; first < documents; first += perAccount)
    accounts.push({ ...(await createServedAccount(url, settings, { run: runCommandHere })), ids: [] });
  const database = await openDatabase(parseEnv({ NODE_ENV: 'production', ...settings }), { migrate: false });
  try {
    for (const [at, account] of accounts.entries()) {
      const first = at * perAccount;
      const count = Math.min(documents - first, perAccount);
      const written = Array.from({ length: count }, (_, number) => writeDocument(first + number));
      const { rows } = await database.db.execute<{ id: string }>(sql`
        insert into documents (id, user_id, title, latex, compiled_version)
        select gen_random_uuid(), users.id, given.title, given.latex, 1
          from auth.users, jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as given (title text, latex text)
         where users.email = ${account.email}
        returning documents.id`);
      account.ids = rows.map(({ id }) => id);
    }
    await untilNone(settings, sql`select count(*) as due from private.search_due`);
    return accounts;
  } finally {
    await database.close();
  }
}

/** Waits until the product has no work left of the kind that the query counts. */
async function untilNone(settings: Record<string, string>, query: SQL): Promise<void> {
  const database = await openDatabase(parseEnv({ NODE_ENV: 'production', ...settings }), { migrate: false });
  try {
    while (Number((await database.db.execute<{ due: string }>(query)).rows[0]!.due) > 0) await sleep(1_000);
  } finally {
    await database.close();
  }
}

/** What people do; actions listed twice are done twice as often. */
const habits = ['list', 'open', 'save', 'search', 'account', 'open'];

async function work(url: string, accounts: readonly Session[], size: number): Promise<Call[]> {
  const until = performance.now() + 1_000 * seconds;
  const calls: Call[] = [];
  const control = (async () => {
    while (performance.now() < until) {
      calls.push(await timed('healthz', () => send(url, null, 'GET', '/healthz')));
      await sleep(controlEveryMs);
    }
  })();
  const person = async (number: number) => {
    const { next } = createRandom(7_000 + number);
    const session = accounts[number % accounts.length]!;
    // no two sessions of an account save the same document, like two tabs that know of each other
    const own = session.ids.filter(
      (_, at) => at % Math.ceil(size / accounts.length) === Math.floor(number / accounts.length),
    );
    await sleep(next() * pauseMs);
    while (performance.now() < until) {
      calls.push(await act(url, session, own, next));
      await sleep(pauseMs * (0.5 + next()));
    }
  };
  await Promise.all([control, ...Array.from({ length: size }, (_, number) => person(number))]);
  return calls;
}

async function act(url: string, session: Session, own: readonly string[], next: () => number): Promise<Call> {
  const kind = habits[Math.floor(next() * habits.length)]!;
  const id = own[Math.floor(next() * own.length)]!;
  const word = vocabulary[Math.floor(next() ** 3 * 20_000)]!;
  if (kind === 'open') return timed(kind, () => send(url, session, 'GET', `/api/v1/documents/${id}`));
  if (kind === 'search') return timed(kind, () => send(url, session, 'GET', `/api/v1/search?q=${word}`));
  if (kind === 'account') return timed(kind, () => send(url, session, 'GET', '/api/v1/account/sessions'));
  if (kind === 'list') return timed(kind, () => send(url, session, 'GET', '/api/v1/documents'));
  const present = JSON.parse((await send(url, session, 'GET', `/api/v1/documents/${id}`)).body) as {
    latex: string;
    version: number;
  };
  const latex = present.latex.replace('\\end{document}', `${word} $x^2$\n\\end{document}`);
  return timed(kind, () =>
    send(url, session, 'PUT', `/api/v1/documents/${id}/latex`, { latex, base_version: present.version }),
  );
}

async function timed(kind: string, call: () => Promise<{ status: number }>): Promise<Call> {
  const startedMs = performance.now();
  const { status } = await call();
  return { kind, ms: performance.now() - startedMs, status };
}

const agent = new Agent({ keepAlive: true, maxSockets: 400 });

function send(
  url: string,
  session: Session | null,
  method: string,
  address: string,
  body?: object,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const call = request(new URL(address, url), {
      method,
      agent,
      headers: {
        ...(session ? { Authorization: session.authorization } : {}),
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
    });
    call.on('error', reject);
    call.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode!, body: Buffer.concat(parts).toString() }),
      );
    });
    call.end(body && JSON.stringify(body));
  });
}

/** As many browsers as there are connections keep one open for changes. */
async function holdStreams(url: string, pid: number): Promise<string> {
  const { identity } = (await (await fetch(`${url}/api/v1/config`)).json()) as {
    identity: { anon_key: string };
  };
  const address = `${url.replace('http', 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=${identity.anon_key}`;
  const sockets = await Promise.all(
    Array.from(
      { length: restingStreams },
      (_, number) =>
        new Promise<WebSocket | null>((resolve) => {
          const socket = new WebSocket(address, { localAddress: `127.0.0.${10 + (number % 10)}` });
          socket.once('open', () => resolve(socket));
          socket.once('error', () => resolve(null));
        }),
    ),
  );
  await sleep(10_000);
  const open = sockets.filter((socket) => socket?.readyState === WebSocket.OPEN);
  const watch = await watchProcesses(pid);
  await sleep(10_000);
  const { cpuMs } = await watch.stop();
  const cpu = cpuMs.reduce((sum, [, ms]) => sum + ms, 0);
  const description = `${open.length} open, ${(cpu / 10_000).toFixed(3)} of a core; ${await describeState(pid)}`;
  for (const socket of sockets) socket?.close();
  return description;
}

const p95 = (calls: readonly Call[]): number =>
  percentile(
    calls.map(({ ms }) => ms),
    0.95,
  );

function describeKinds(calls: readonly Call[]): string {
  const kinds = Map.groupBy(calls, ({ kind }) => kind);
  const control = p95(kinds.get('healthz') ?? []);
  return ['healthz', ...new Set(habits)]
    .map((kind) => {
      const value = p95(kinds.get(kind) ?? []);
      return `${kind} ${value.toFixed(1)} (${(value / control).toFixed(1)})`;
    })
    .join(', ');
}

function describeStatuses(calls: readonly Call[]): string {
  const counts = Map.groupBy(calls, ({ status }) => status);
  return [...counts].map(([status, those]) => `${those.length} answered ${status}`).join(', ');
}

/** Memory of the whole installation, and its connections to the database. */
async function describeState(pid: number): Promise<string> {
  const { all } = await readTreeMemory(pid);
  const kinds = await Promise.all((await descendantsOf(pid)).map(kindOf));
  const backends = kinds.filter((kind) => kind === 'database').length;
  return `${Math.round(all)} MB, ${backends} database processes`;
}
