import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import type { CreditDifference, CreditEntry, ListedEntry } from '../../credits/index.ts';
import type { OpenedCredits } from './open-credits.ts';
import { formatTable, say, withCredits } from './with-credits.ts';

/** `inkproof credits …`: why each balance is what it is, for the operator. Works with or without a running server. */
export function registerCreditsCommands(program: Command): Command {
  const credits = program
    .command('credits')
    .description('credits of accounts: grant, ledger, check; the server may be running');

  credits
    .command('grant')
    .description('give an account credits')
    .argument('<email>', 'its address')
    .option('--pages <number>', 'pages to convert', parseCredits, 0)
    .option('--assistant <number>', 'AI conversations', parseCredits, 0)
    .option('--reason <text>', 'what for, as shown in the ledger; must not name a person')
    .option('--key <text>', 'repeating the command with the same key grants nothing more')
    .action(async (email: string, options: GrantOptions) => {
      const { pages, assistant, reason, key } = options;
      if (pages + assistant === 0) throw new Error('Say what to grant: --pages, --assistant, or both.');
      await withCredits(async (opened) => {
        const account = await opened.getAccount(email);
        const isNew = await grant(opened, {
          userId: account.id,
          conversion: pages,
          assistant,
          cause: { by: 'operator', ...(reason ? { reason } : {}) },
          key: `grant:${key ?? randomUUID()}`,
        });
        const balance = await opened.credits.readBalance(opened.db, account.id);
        const { conversion, assistant: chats } = balance ?? { conversion: 0, assistant: 0 };
        say(
          `${isNew ? `Granted ${account.email} ${describeCredits(pages, assistant)}.` : 'That was already granted; nothing has changed.'} It has ${describeCredits(conversion, chats)}.`,
        );
      });
    });

  credits
    .command('ledger')
    .description('every change to an account’s credits, and the balance after it')
    .argument('<email>', 'its address')
    .option('--json', 'as JSON, one object per line')
    .action((email: string, options: { json?: boolean }) =>
      withCredits(async ({ db, credits, getAccount }) => {
        const account = await getAccount(email);
        const entries = await credits.listEntries(db, account.id);
        if (options.json) for (const entry of entries) say(JSON.stringify(entry));
        else if (entries.length === 0) say(`${account.email} has had no credits yet.`);
        else say(formatEntries(entries));
      }),
    );

  credits
    .command('check')
    .description(
      'compare every balance with its entries, the page total with the pages delivered, purchases with what was paid',
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 everything agrees, 1 something does not; each difference is listed.',
    )
    .action(() =>
      withCredits(async ({ db, credits }) => {
        const { accounts, entries, pageTotal, differences } = await credits.checkBalances(db);
        const problems = await credits.findPurchaseProblems(db);
        for (const difference of differences) say(describeDifference(difference));
        for (const { purchase, text } of problems) say(`purchase ${purchase}: ${text}`);
        if (differences.length + problems.length > 0) {
          process.exitCode = 1;
          return;
        }
        say(
          `Everything agrees: ${count(accounts, 'balance')}, ${count(entries, 'entry', 'entries')}, ${count(pageTotal, 'page')} in the total.`,
        );
      }),
    );
  return credits;
}

interface GrantOptions {
  pages: number;
  assistant: number;
  reason?: string;
  key?: string;
}

/** @returns false if the same key has given the same before. @throws Error with a sentence if it gave something else */
async function grant({ db, credits }: OpenedCredits, entry: Omit<CreditEntry, 'kind'>): Promise<boolean> {
  try {
    const outcome = await db.transaction((tx) => credits.postEntry(tx, { ...entry, kind: 'grant' }));
    if (outcome === 'no-account') throw new Error('The account no longer exists.');
    return outcome === 'posted';
  } catch (error) {
    const cause = (error as Error).cause as { code?: string } | undefined;
    if (cause?.code !== '23505') throw error;
    throw new Error('This key has already been used for something else. Choose another one.', {
      cause: error,
    });
  }
}

/** A whole number from 1 to a million. @throws InvalidArgumentError, which commander prints */
function parseCredits(text: string): number {
  const credits = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (credits < 1 || credits > 1_000_000)
    throw new InvalidArgumentError('Write a whole number from 1 to 1000000.');
  return credits;
}

function formatEntries(entries: readonly ListedEntry[]): string {
  const rows = entries.map(({ createdAt, kind, conversion, assistant, cause, balance }) => [
    createdAt.toISOString().slice(0, 19).replace('T', ' '),
    kind,
    signed(conversion),
    signed(assistant),
    String(balance.conversion),
    String(balance.assistant),
    describeCause(cause),
  ]);
  const head = ['date (UTC)', 'kind', 'pages', 'AI', 'pages left', 'AI left', 'cause'];
  return formatTable([head, ...rows], (column) => column >= 2 && column <= 5);
}

/** E.g. `conversion=ID pages=1-3,5`. */
function describeCause(cause: Record<string, unknown>): string {
  return Object.entries(cause)
    .map(([name, value]) => `${name}=${describeValue(value)}`)
    .join(' ');
}

function describeValue(value: unknown): string {
  if (Array.isArray(value) && value.every(Number.isInteger)) return describePages(value as number[]);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `[1, 2, 3, 5]` as `1-3,5`. */
function describePages(pages: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const page of pages.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] === page - 1) last[1] = page;
    else ranges.push([page, page]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}

function signed(credits: number): string {
  return credits > 0 ? `+${credits}` : String(credits);
}

function describeCredits(pages: number, assistant: number): string {
  return `${count(pages, 'page')} and ${count(assistant, 'AI conversation')}`;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

function describeDifference(difference: CreditDifference): string {
  switch (difference.kind) {
    case 'balance': {
      const what = difference.credits === 'conversion' ? 'pages' : 'AI conversations';
      return `account ${difference.userId}: the balance says ${difference.recorded} ${what}, its entries ${difference.entries}`;
    }
    case 'reservation':
      return `account ${difference.userId}: work ${difference.subject} holds or has used ${difference.recorded} credits, its entries have taken ${difference.entries}`;
    case 'total':
      return `page total: it says ${difference.recorded}, the entries ${difference.entries}`;
  }
}
