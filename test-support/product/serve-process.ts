/** The product as an operator runs it: `./inkproof serve` and its commands, each in a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { compileCache } from './compile-cache.ts';

/** As installed. */
export const installed: readonly string[] = [path.resolve(import.meta.dirname, '../../inkproof')];

/** The run's bundle (bundle-server.ts), otherwise as installed. */
export const inkproof: readonly string[] = process.env.INKPROOF_BUNDLE
  ? [process.execPath, process.env.INKPROOF_BUNDLE]
  : installed;

export interface ServeProcess {
  child: ChildProcess;
  /** The address it printed: `http://localhost:40123`; empty for a worker. */
  address: string;
  /** Everything it has printed so far. */
  output(): string;
  /** Sends the signal and resolves with the exit code (null: killed by a signal). */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** It gets only these settings and, from the environment, PATH and Node's compile cache. Resolves when it runs. */
export async function startServeProcess(
  settings: Record<string, string>,
  program: readonly string[] = inkproof,
): Promise<ServeProcess> {
  const [command = '', ...args] = program;
  const child = spawn(command, [...args, 'serve'], {
    env: { PATH: process.env.PATH, ...compileCache, PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  let output = '';
  const address = await new Promise<string>((resolve, reject) => {
    const read = (line: string) => {
      output += `${line}\n`;
      const running = /^Inkproof (?:is running: open (\S+)|worker is running)$/.exec(line);
      if (running) resolve(running[1] ?? '');
    };
    createInterface({ input: child.stdout }).on('line', read);
    createInterface({ input: child.stderr }).on('line', read);
    child.once('exit', () => reject(new Error(`it did not start:\n${output}`)));
  });
  return {
    child,
    address,
    output: () => output,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return exited;
    },
  };
}

/** A command's output, and how it ended (null: killed by a signal). */
export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs `./inkproof …` to its end, with `input` as its standard input. If the test is not about the process,
 * `runCommandHere` costs less.
 */
export async function runInkproof(
  args: string[],
  settings: Record<string, string>,
  input?: string,
): Promise<CommandResult> {
  const [command = '', ...first] = inkproof;
  const child = spawn(command, [...first, ...args], {
    env: { PATH: process.env.PATH, ...compileCache, ...settings },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(input);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}
