/** Real processes of the product for tests: `server/main.ts` with the settings of one role. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const mainFile = path.join(import.meta.dirname, '../../main.ts');
/** A loaded machine takes some seconds to load the program. */
const startLimitMs = 60_000;

export interface ProductProcess {
  pid: number;
  /** Where it listens, on 127.0.0.1; null for a worker. */
  address: string | null;
  /** SIGKILL: no chance to tidy up. */
  kill(): Promise<void>;
  /** SIGTERM, and its exit code. */
  stop(): Promise<number | null>;
}

/** Starts a process and resolves once it says that it runs. @throws Error with what it wrote when it ends before */
export async function startProduct(
  roles: 'web' | 'worker' | 'web,worker',
  settings: Record<string, string>,
): Promise<ProductProcess> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'inkproof-process-'));
  const child = spawn(process.execPath, [mainFile], {
    env: {
      PATH: process.env.PATH,
      LOG_LEVEL: 'warn',
      DATA_DIR: dataDir,
      ...settings,
      ROLES: roles,
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit').then(() => rm(dataDir, { recursive: true, force: true }));
  const address = await waitForGreeting(child);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
    return child.exitCode;
  };
  return {
    pid: child.pid!,
    address,
    kill: async () => {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
  };
}

function waitForGreeting(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (reason: string) => reject(new Error(`${reason}:\n${output}`));
    const timer = setTimeout(() => fail('it did not start in time'), startLimitMs);
    const take = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
      const [, port] = /Inkproof is running: open http:\/\/[^:\s]+:(\d+)/.exec(output) ?? [];
      if (!port && !output.includes('Inkproof worker is running')) return;
      clearTimeout(timer);
      resolve(port ? `http://127.0.0.1:${port}` : null);
    };
    child.stdout!.on('data', take);
    child.stderr!.on('data', take);
    child.once('exit', (code) => fail(`it ended with ${code}`));
  });
}
