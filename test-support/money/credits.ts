/** Accounts with credits, for tests that spend them: rows as written by a sign-up, and real ledger entries. */
import { randomUUID } from 'node:crypto';
import { type Balance, checkBalances, postEntry, readBalance } from '#server/credits/index.ts';
import type { OpenedDatabase } from '#server/database/database.ts';

type Db = OpenedDatabase['db'];

/** A confirmed account with exactly these credits. @returns its id */
export async function createAccountWithCredits(
  { db, pool }: OpenedDatabase,
  credits: Partial<Balance> = {},
): Promise<string> {
  const id = randomUUID();
  // whether or not the mailbox key existed when it was confirmed, its free credits are taken into account
  await pool.query('INSERT INTO auth.users (id, email, email_confirmed_at) VALUES ($1, $2, now())', [
    id,
    `ada-${id}@example.com`,
  ]);
  const free = (await readBalance(db, id))!;
  const { conversion = 0, assistant = 0 } = credits;
  await db.transaction((tx) =>
    postEntry(tx, {
      userId: id,
      kind: 'adjustment',
      conversion: conversion - free.conversion,
      assistant: assistant - free.assistant,
      cause: { reason: 'a test' },
      key: `test:${id}`,
    }),
  );
  return id;
}

/** Everything that does not add up; a test expects nothing. */
export async function findDifferences(db: Db): Promise<unknown[]> {
  return (await checkBalances(db)).differences;
}
