import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import type { AccountSummary } from '../../identity/identity.ts';
import type { OpenedAccounts } from './open-accounts.ts';

/** Accounts read at a time for the list. */
const pageSize = 200;

/** `inkproof user …`: accounts, for the operator. Works with or without a running server. */
export function registerUserCommands(program: Command): void {
  const user = program
    .command('user')
    .description(
      'accounts: create, list, ban, unban, confirm, remove-factor, limit, delete; the server may be running',
    );

  user
    .command('create')
    .description('make an account')
    .argument('<email>', 'its address')
    .requiredOption('--password <password>', 'its password, or - to read it from standard input')
    .option('--confirmed', 'treat the address as confirmed, so that it can sign in at once')
    .action(async (email: string, options: { password: string; confirmed?: boolean }) => {
      const password = options.password === '-' ? await readPassword() : options.password;
      const isConfirmed = options.confirmed ?? false;
      await withAccounts(async ({ accounts }) => {
        const created = await accounts.create({ email, password, isConfirmed });
        say(
          isConfirmed
            ? `Created ${created.email}. It can sign in.`
            : `Created ${created.email}. It can sign in once its address is confirmed: ./inkproof user confirm ${created.email}`,
        );
      });
    });

  user
    .command('list')
    .description('all accounts, one per line')
    .option('--json', 'as JSON, one object per line')
    .action(async (options: { json?: boolean }) => {
      await withAccounts(async ({ accounts }) => {
        let count = 0;
        for (let offset = 0; ; offset += pageSize) {
          const page = await accounts.list({ limit: pageSize, offset });
          for (const account of page) say(options.json ? JSON.stringify(account) : describeAccount(account));
          count += page.length;
          if (page.length < pageSize) break;
        }
        if (count === 0 && !options.json) say('There are no accounts yet.');
      });
    });

  user
    .command('ban')
    .description('ban an account and end its sessions')
    .argument('<email>', 'its address')
    .option(
      '--until <date>',
      'when it may sign in again, e.g. 2030-01-31 or 2030-01-31T12:00:00Z (default: never)',
    )
    .action(async (email: string, options: { until?: string }) => {
      const until = options.until === undefined ? null : parseMoment(options.until);
      await withAccount(email, async ({ accounts }, account) => {
        await accounts.ban(account.id, until);
        say(
          `Banned ${account.email} ${until ? `until ${until.toISOString()}` : 'for good'}. Its sessions have ended.`,
        );
      });
    });

  user
    .command('unban')
    .description('lift an account’s ban')
    .argument('<email>', 'its address')
    .action((email: string) =>
      withAccount(email, async ({ accounts }, account) => {
        await accounts.unban(account.id);
        say(`${account.email} can sign in again.`);
      }),
    );

  user
    .command('confirm')
    .description('confirm an address without the mail')
    .argument('<email>', 'its address')
    .action((email: string) =>
      withAccount(email, async ({ accounts }, account) => {
        if (account.confirmedAt) return say(`${account.email} is already confirmed.`);
        const { keepsPassword } = await accounts.confirm(account.id);
        say(
          keepsPassword
            ? `Confirmed ${account.email}. It can sign in.`
            : `Confirmed ${account.email}. Somebody signed up with it more than once, so none of the passwords is valid: choose one with “Forgot your password?”.`,
        );
      }),
    );

  user
    .command('remove-factor')
    .description('turn off two-factor for an account, and end its sessions')
    .argument('<email>', 'its address')
    .action((email: string) =>
      withAccount(email, async ({ accounts, sendFactorNotice }, account) => {
        const removed = await accounts.removeFactors(account.id);
        if (removed === 0) {
          say(`${account.email} has no authenticator app. Its sessions have ended.`);
          return;
        }
        await sendFactorNotice(account.email);
        say(`${account.email} signs in without a code. Its sessions have ended, and it is notified by mail.`);
      }),
    );

  user
    .command('limit')
    .description('set how many documents an account may store (200 by default)')
    .argument('<email>', 'its address')
    .argument('<documents>', 'how many', parseDocuments)
    .action((email: string, documents: number) =>
      withAccount(email, async (opened, account) => {
        await opened.setDocumentLimit(account.id, documents);
        say(`${account.email} may store ${documents} ${documents === 1 ? 'document' : 'documents'}.`);
      }),
    );

  user
    .command('delete')
    .description('delete an account with its documents, files and sessions')
    .argument('<email>', 'its address')
    .option('--yes', 'do not ask')
    .action((email: string, options: { yes?: boolean }) =>
      withAccount(email, async (opened, account) => {
        if (!options.yes && !(await confirmDeletion(account.email))) {
          say('Nothing was deleted.');
          process.exitCode = 1;
          return;
        }
        const isComplete = await opened.deleteAccount(account);
        say(
          isComplete
            ? `Deleted ${account.email} with its documents, files and sessions.`
            : `${account.email} is being deleted; the running server finishes it.`,
        );
      }),
    );
}

async function withAccounts(use: (opened: OpenedAccounts) => Promise<void>): Promise<void> {
  const { openAccounts } = await import('./open-accounts.ts');
  const opened = await openAccounts(process.env, (notice) => process.stderr.write(`${notice}\n`));
  try {
    await use(opened);
  } finally {
    await opened.close();
  }
}

/** @throws Error with a sentence if there is no such account */
function withAccount(
  email: string,
  use: (opened: OpenedAccounts, account: AccountSummary) => Promise<void>,
): Promise<void> {
  return withAccounts(async (opened) => {
    const account = await opened.accounts.findByEmail(email);
    if (!account) throw new Error(`There is no account with the address ${email}.`);
    await use(opened, account);
  });
}

/** The first line of standard input: a password on the command line would show in the process list. */
async function readPassword(): Promise<string> {
  const [line = ''] = (await text(process.stdin)).split(/\r?\n/, 1);
  if (line === '') throw new Error('Standard input contained no password.');
  return line;
}

function parseDocuments(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('Write a whole number from 0 to 999999.');
  return Number(text);
}

/** @throws Error with a sentence unless it is a time in the future */
function parseMoment(given: string): Date {
  const moment = /^\d{4}-\d{2}-\d{2}(T.+)?$/.test(given) ? new Date(given) : new Date(Number.NaN);
  if (Number.isNaN(moment.getTime()))
    throw new Error(`“${given}” is not a date. Write it like 2030-01-31 or 2030-01-31T12:00:00Z.`);
  if (moment.getTime() <= Date.now()) throw new Error(`${moment.toISOString()} is in the past.`);
  return moment;
}

async function confirmDeletion(email: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Error('Deleting cannot be undone. Add --yes to delete without confirmation.');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(
      `Delete ${email} with its documents, files and sessions? This cannot be undone. Type the address to confirm: `,
    );
    return answer.trim().toLowerCase() === email.toLowerCase();
  } finally {
    terminal.close();
  }
}

function describeAccount(account: AccountSummary): string {
  const { email, createdAt, confirmedAt, lastSignInAt, bannedUntil, providers } = account;
  const day = (moment: Date) => moment.toISOString().slice(0, 10);
  const isBanned = bannedUntil !== null && bannedUntil.getTime() > Date.now();
  return [
    email,
    `since ${day(createdAt)}`,
    confirmedAt ? 'confirmed' : 'not confirmed',
    lastSignInAt ? `last sign-in ${day(lastSignInAt)}` : 'never signed in',
    providers.join('+') || 'no way in',
    ...(isBanned ? ['banned'] : []),
  ].join('  ');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
