/** Programs that are started under limits of the operating system, where it has the tools for them (util-linux). */
import { existsSync } from 'node:fs';

export const prlimitPath = find('prlimit');
const setprivPath = find('setpriv');

function find(name: string): string | undefined {
  return ['/usr/bin', '/bin'].map((folder) => `${folder}/${name}`).find((path) => existsSync(path));
}

/**
 * Whether a process that `endWithUs` starts may be paused: a paused one does not see by itself that we are gone, and would
 * stay for ever.
 */
export const canPause = setprivPath !== undefined;

/** The command, so that it is killed when the thread that starts it ends. */
export function endWithUs(words: readonly string[]): { command: string; args: string[] } {
  const [command = '', ...args] = setprivPath ? [setprivPath, '--pdeathsig', 'KILL', ...words] : words;
  return { command, args };
}
