/** Processes of the embedded server, and what is in it, for tests that kill it. */
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import pg from 'pg';

export async function kill(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}

/** PostgreSQL processes whose working folder is a cluster under `below`. */
export function listServerProcesses(below: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${below}/`);
      } catch {
        return false;
      }
    });
}

export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it never came true');
}

export async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

export const remember = (url: string) =>
  query(url, "CREATE TABLE kept (word text); INSERT INTO kept VALUES ('ink')");
export const recall = (url: string) => query<{ word: string }>(url, 'SELECT word FROM kept');
