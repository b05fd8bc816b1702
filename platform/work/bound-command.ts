/** Commands started under limits of the operating system, if it has the tools for them (util-linux). */
import { type ChildProcess, execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

export const prlimitPath = find('prlimit');
const setprivPath = find('setpriv');
const choomPath = find('choom');
/** If a machine runs out of memory, it ends these before the server and the database (0), whatever their size. */
const expendable = '500';

function find(name: string): string | undefined {
  return ['/usr/bin', '/bin'].map((folder) => `${folder}/${name}`).find((path) => existsSync(path));
}

/**
 * Whether a process started by `endWithUs` may be paused: on other systems a paused one would not notice that
 * we have ended, and would stay for ever.
 */
export const canPause = setprivPath !== undefined;

/**
 * Wraps the command, so that it is killed when the thread that starts it ends, and before everything else when the
 * machine has no memory left.
 */
export function endWithUs(words: readonly string[]): { command: string; args: string[] } {
  const [command = '', ...args] = [
    ...(setprivPath ? [setprivPath, '--pdeathsig', 'KILL'] : []),
    ...endFirst(words),
  ];
  return { command, args };
}

/** Only the second half of `endWithUs`. */
export function endFirst(words: readonly string[]): readonly string[] {
  return choomPath ? [choomPath, '-n', expendable, '--', ...words] : words;
}

/**
 * Limits the private memory that a running process may reserve (RLIMIT_DATA), and forbids core dumps; without prlimit,
 * nothing is limited.
 */
export async function limitData({ pid }: ChildProcess, bytes: number): Promise<void> {
  if (prlimitPath)
    await promisify(execFile)(prlimitPath, ['--pid', String(pid), `--data=${bytes}`, '--core=0']);
}
