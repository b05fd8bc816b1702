/** Runs a command of `./inkproof` in the test's own process, which saves starting another one. */
import process from 'node:process';
import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { runCommand } from '#server/cli/run-command.ts';
import { compileCache } from './compile-cache.ts';
import type { CommandResult } from './serve-process.ts';

/** As `runInkproof`, but one at a time: output, input and environment are the process's. */
export async function runCommandHere(
  args: readonly string[],
  settings: Record<string, string>,
): Promise<CommandResult> {
  const printed = { stdout: '', stderr: '' };
  const { env, exitCode } = process;
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      printed[stream] += text;
      return true;
    }),
  );
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([]) as typeof process.stdin);
  process.env = { PATH: env.PATH, ...compileCache, ...settings };
  process.exitCode = undefined;
  try {
    await runCommand(args);
    return { code: Number(process.exitCode ?? 0), ...printed };
  } finally {
    process.env = env;
    process.exitCode = exitCode;
    for (const spy of [...spies, stdin]) spy.mockRestore();
  }
}
