/**
 * A 30-page PDF against a stand-in vendor that takes 2 s a page, 8 at a time: real processes, real HTTP, real
 * database. Time from the request's first byte to the delivered document, relative to the time that the vendor
 * alone needs.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { median } from '#reading/box.ts';
import { createServedAccount } from '../test-support/product/serve-account.ts';
import type { Measurement } from './support/measurement.ts';
import { memoryOf, watchProcesses } from './support/processes.ts';
import { makePdf } from './support/uploads.ts';

const root = path.join(import.meta.dirname, '..');
const pageCount = 30;
const vendorMs = 2_000;
const concurrency = 8;
const idealMs = Math.ceil(pageCount / concurrency) * vendorMs;
/** One run warms up (processes, fonts, compiled code); the others count. */
const runs = 3;

export async function measure(): Promise<Measurement> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'inkproof-bench-'));
  // traversable for the database's user, or the cluster would be put elsewhere and stay there
  await chmod(folder, 0o711);
  const children: ChildProcess[] = [];
  try {
    const vendor = await start(
      children,
      ['test-support/stand-ins/vendor-stand-in.ts', '--delay', String(vendorMs)],
      {},
      /(http:\/\/\S+\/v1)/,
    );
    const address = await start(
      children,
      [...profiling(), 'server/cli/main.ts', 'serve'],
      {
        PORT: '0',
        DATA_DIR: path.join(folder, 'data'),
        LOG_LEVEL: 'warn',
        AI_BASE_URL: vendor,
        AI_API_KEY: 'bench',
        READ_CONCURRENCY: String(concurrency),
      },
      /open http:\/\/[^:]+(:\d+)/,
    );
    const server = children[1]!.pid!;
    const url = `http://127.0.0.1${address}`;
    const { authorization } = await createServedAccount(
      url,
      { DATA_DIR: path.join(folder, 'data') },
      { pages: (runs + 1) * pageCount },
    );
    const pdf = await makePdf(pageCount);
    await convert(url, authorization, pdf);
    const before = await memoryOf(server);
    const watch = await watchProcesses(server);
    const walls: number[] = [];
    const phases: Phases[] = [];
    for (let run = 0; run < runs; run++) {
      const begun = performance.now();
      phases.push(await convert(url, authorization, pdf));
      walls.push(performance.now() - begun);
    }
    const { cpuMs, begun, peak } = await watch.stop();
    const perPage = cpuMs.map(([kind, ms]): [string, number] => [kind, Math.round(ms / runs / pageCount)]);
    const after = await memoryOf(server);
    const wallMs = median(walls);
    const middle = phases[walls.indexOf(wallMs)]!;
    return {
      ratio: wallMs / idealMs,
      baseline: `vendor alone ${idealMs} ms`,
      details: {
        'wall time, ms (each run)': walls.map(Math.round).join(', '),
        'upload and inspection, ms': String(Math.round(middle.acceptedMs)),
        'reading, ms': String(Math.round(middle.readMs)),
        'assembling and compiling, ms': String(Math.round(middle.deliveredMs)),
        'processor time, ms a page': String(perPage.reduce((sum, [, ms]) => sum + ms, 0)),
        'by process, ms a page': perPage.map(([kind, ms]) => `${kind} ${ms}`).join(', '),
        'processes begun in all runs': begun.map(([kind, count]) => `${kind} ${count}`).join(', '),
        'load of the machine (1 min) and its processors': `${os.loadavg()[0]!.toFixed(1)}, ${os.availableParallelism()}`,
        'memory of the server process, MB (before, peak, after)': `${before.own}, ${peak.own}, ${after.own}`,
        'with its helpers and the database, MB (before, peak, after)': `${before.all}, ${peak.all}, ${after.all}`,
        'memory growth of the server process, MB (peak - before)': String(peak.own - before.own),
        'PDF, MB': (pdf.length / 1e6).toFixed(2),
      },
    };
  } finally {
    for (const child of children.toReversed()) {
      const ended = child.exitCode === null ? once(child, 'exit') : Promise.resolve();
      child.kill('SIGTERM');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  }
}

/** `PROFILE=folder`: the server writes a CPU profile there. */
function profiling(): string[] {
  const { PROFILE } = process.env;
  return PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${path.resolve(PROFILE)}`] : [];
}

interface Phases {
  acceptedMs: number;
  readMs: number;
  deliveredMs: number;
}

/** @throws Error if the document is not delivered whole */
async function convert(url: string, authorization: string, pdf: Uint8Array<ArrayBuffer>): Promise<Phases> {
  const form = new FormData();
  form.append('file', new Blob([pdf], { type: 'application/pdf' }), 'thirty.pdf');
  const begun = performance.now();
  const answer = await fetch(`${url}/api/v1/process`, {
    method: 'POST',
    body: form,
    headers: { Accept: 'text/event-stream', Authorization: authorization },
  });
  let acceptedAt = 0;
  let assemblingAt = 0;
  let text = '';
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (!acceptedAt && text.includes('event: accepted')) acceptedAt = performance.now();
    if (!assemblingAt && text.includes('"state":"assembling"')) assemblingAt = performance.now();
  }
  const end = performance.now();
  const last = text.trim().split('\n\n').at(-1) ?? '';
  if (!last.includes('event: delivered') || last.includes('PAGE_FAILED'))
    throw new Error(`the document was not delivered whole: ${last.slice(0, 500)}`);
  return {
    acceptedMs: acceptedAt - begun,
    readMs: assemblingAt - acceptedAt,
    deliveredMs: end - assemblingAt,
  };
}

/** Starts a program and resolves with what `greeting` matches in its output. */
async function start(
  children: ChildProcess[],
  args: string[],
  settings: Record<string, string>,
  greeting: RegExp,
): Promise<string> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    // as in ./inkproof
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/node'),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let output = '';
  for await (const chunk of child.stdout!) {
    output += chunk;
    const found = greeting.exec(output)?.[1];
    if (found) {
      child.stdout!.resume();
      return found;
    }
  }
  throw new Error(`${args[0]} ended before it was ready: ${output}`);
}
