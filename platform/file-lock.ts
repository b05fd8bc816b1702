/** A lock between processes that is released however its holder ends. */
import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';

/**
 * Runs `use` while this process alone holds the lock on `file` (created if missing, never removed). On Linux
 * the lock is held by a small `flock` process that ends when our end of its pipe closes, so that a kill -9 of
 * this process releases it; on macOS by an open file (O_EXLOCK).
 * @throws Error if the lock cannot be acquired within `timeoutMs`.
 */
export async function withFileLock<T>(file: string, timeoutMs: number, use: () => Promise<T>): Promise<T> {
  const release =
    process.platform === 'darwin' ? await lockByOpening(file, timeoutMs) : await lockByFlock(file, timeoutMs);
  try {
    return await use();
  } finally {
    await release();
  }
}

async function lockByFlock(file: string, timeoutMs: number): Promise<() => Promise<void>> {
  // created here, because flock would make it readable, and so lockable, for every user
  await (await open(file, 'a', 0o600)).close();
  const seconds = String(Math.max(1, Math.ceil(timeoutMs / 1000)));
  const holder = spawn(
    'flock',
    ['--exclusive', '--timeout', seconds, file, '/bin/sh', '-c', 'echo held; exec cat'],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      // a separate session: Ctrl-C in the terminal must not release the lock before its holder is done
      detached: true,
    },
  );
  const ended = new Promise<void>((resolve) => holder.once('close', () => resolve()));
  let complaint = '';
  holder.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  holder.stdin.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    holder.stdout.once('data', () => resolve());
    holder.once('error', (cause) =>
      reject(new Error('the command flock (package util-linux) cannot be run', { cause })),
    );
    holder.once('exit', () =>
      reject(new Error(`another process holds the lock ${file}${complaint ? `: ${complaint.trim()}` : ''}`)),
    );
  });
  return async () => {
    holder.stdin.end();
    await ended;
  };
}

/** macOS: O_EXLOCK (0x20) takes an flock while opening; with O_NONBLOCK (0x4) a taken one is EAGAIN. */
async function lockByOpening(file: string, timeoutMs: number): Promise<() => Promise<void>> {
  const readWriteCreate = 0x0002 | 0x0200;
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const handle = await open(file, readWriteCreate | 0x20 | 0x4, 0o600).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EAGAIN') throw error;
        return null;
      },
    );
    if (handle) return () => handle.close();
    if (Date.now() > deadline) throw new Error(`another process holds the lock ${file}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
