import { type Command, InvalidArgumentError } from 'commander';
import type { MonthlySales } from '../../credits/index.ts';
import type { OpenedCredits } from './open-credits.ts';
import { formatTable, say, withCredits } from './with-credits.ts';

/** How far back `reconcile` looks by default, in ms: 30 days. */
const usualPeriodMs = 30 * 24 * 60 * 60_000;

/** `inkproof credits refund, reconcile, sales`: money, for the operator. */
export function registerMoneyCommands(credits: Command): void {
  credits
    .command('refund')
    .description('refund money or, with --pages, pages that came out badly')
    .argument('<purchase>', 'id of the purchase, or the address of an account: its newest purchase')
    .option('--amount <money>', 'e.g. 1.50 (default: all that is left)', parseMoney)
    .option('--pages <number>', 'give back delivered pages instead of money; needs an address', parsePages)
    .option('--conversion <id>', 'which conversion they were of, as the ledger shows it')
    .option('--key <text>', 'with --pages: repeating the command with the same key grants nothing more')
    .action((target: string, options: RefundOptions) =>
      withCredits((opened) =>
        options.pages === undefined ? refund(opened, target, options) : refundPages(opened, target, options),
      ),
    );

  credits
    .command('reconcile')
    .description('compare Stripe with the purchases here, and bring them in line')
    .option('--since <date>', 'only checkouts begun on or after this day (default: 30 days ago)', parseDay)
    .option('--until <date>', 'only checkouts begun before this day (default: now)', parseDay)
    .action((options: { since?: Date; until?: Date }) =>
      withCredits(async ({ db, credits, logger, openService }) => {
        const { stripe } = await openService();
        if (!stripe) throw new Error('There is nothing to compare with: STRIPE_SECRET_KEY is not set.');
        const until = options.until ?? new Date();
        const since = options.since ?? new Date(until.getTime() - usualPeriodMs);
        const { sessions, differences } = await credits.reconcile({ db, stripe, logger }, { since, until });
        for (const { purchase, text } of differences) say(`purchase ${purchase}: ${text}`);
        const compared = `Compared ${sessions} ${sessions === 1 ? 'checkout' : 'checkouts'} since ${since.toISOString().slice(0, 10)}`;
        say(
          differences.length === 0
            ? `${compared}: everything agrees.`
            : `${compared}: ${differences.length} differed and ${differences.length === 1 ? 'has' : 'have'} been brought in line.`,
        );
      }),
    );

  credits
    .command('sales')
    .description('sales by month and currency')
    .option('--json', 'as JSON, one object per line')
    .option('--test', 'test-mode purchases instead')
    .action((options: { json?: boolean; test?: boolean }) =>
      withCredits(async ({ db, credits, openService }) => {
        const own = (await openService()).mode;
        const mode = options.test ? (own === 'live' ? 'test' : own) : 'live';
        const months = await credits.sumSales(db, mode);
        if (options.json) for (const month of months) say(JSON.stringify(month));
        else if (months.length === 0) say(mode === 'live' ? 'No sales yet.' : 'No test-mode purchases yet.');
        else say(formatSales(months));
      }),
    );
}

interface RefundOptions {
  amount?: number;
  pages?: number;
  conversion?: string;
  key?: string;
}

async function refund(opened: OpenedCredits, target: string, { amount }: RefundOptions): Promise<void> {
  const { db, credits, logger } = opened;
  const service = await opened.openService();
  const purchase = await credits.findRefundable(db, await readTarget(opened, target));
  if (!purchase) throw new Error('There is no such purchase that could be refunded.');
  const left = await credits.readRefundable(db, purchase);
  const price = (hundredths: number) => `${(hundredths / 100).toFixed(2)} ${purchase.currency.toUpperCase()}`;
  if (left === 0) throw new Error('It has already been refunded in full.');
  if (amount !== undefined && amount > left) throw new Error(`Only ${price(left)} of it is left to refund.`);
  const { isSettled } = await credits.refundPurchase({ db, service, logger }, purchase, amount ?? left);
  say(
    isSettled
      ? `Refunded ${price(amount ?? left)} of purchase ${purchase.id} in test mode. The credits are taken back.`
      : `Stripe refunds ${price(amount ?? left)} of purchase ${purchase.id}. The credits are taken back when its event arrives.`,
  );
}

async function refundPages(
  { db, credits, getAccount }: OpenedCredits,
  email: string,
  options: RefundOptions,
): Promise<void> {
  const account = await getAccount(email);
  if (options.amount !== undefined)
    throw new Error('Give back money (--amount) or pages (--pages), not both.');
  const pages = options.pages ?? 0;
  const outcome = await credits.refundPages(db, {
    userId: account.id,
    pages,
    cause: { by: 'operator', ...(options.conversion ? { conversion: options.conversion } : {}) },
    key: options.key,
  });
  if (outcome.kind === 'too-many')
    throw new Error(
      `Only pages that were delivered can be given back, and ${account.email} has ${outcome.delivered}. To give more, use: credits grant`,
    );
  say(
    outcome.kind === 'given'
      ? `Gave ${account.email} ${pages} ${pages === 1 ? 'page' : 'pages'} back.`
      : 'That was already given back; nothing has changed.',
  );
}

/** @throws Error with a sentence if there is no such account */
async function readTarget(
  { getAccount }: OpenedCredits,
  target: string,
): Promise<{ purchaseId: string } | { userId: string }> {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(target))
    return { purchaseId: target.toLowerCase() };
  return { userId: (await getAccount(target)).id };
}

function formatSales(months: readonly MonthlySales[]): string {
  const money = (hundredths: number) => (hundredths / 100).toFixed(2);
  const rows = months.map(({ month, currency, count, gross, refunds, disputes, net }) => [
    month,
    currency.toUpperCase(),
    String(count),
    ...[gross, refunds, disputes, net].map(money),
  ]);
  const head = ['month', 'currency', 'count', 'gross', 'refunds', 'disputes', 'net'];
  return formatTable([head, ...rows], (column) => column >= 2);
}

/** E.g. `1.50` as 150. @throws InvalidArgumentError, which commander prints */
function parseMoney(text: string): number {
  const [, whole, cents = ''] = /^(\d{1,6})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const hundredths = whole === undefined ? 0 : Number(whole) * 100 + Number(cents.padEnd(2, '0'));
  if (hundredths < 1) throw new InvalidArgumentError('Write an amount like 1.50.');
  return hundredths;
}

function parsePages(text: string): number {
  const pages = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (pages < 1) throw new InvalidArgumentError('Write a whole number from 1.');
  return pages;
}

/** Midnight UTC of a day. */
function parseDay(text: string): Date {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN);
  if (Number.isNaN(day.getTime())) throw new InvalidArgumentError('Write a day like 2026-01-31.');
  return day;
}
