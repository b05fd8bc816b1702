/**
 * Credits that work takes. Reserved when the work is accepted (`reserve`, −n), used when it is delivered
 * (`settle`, 0), given back when it is not (`release`, +n); so the sum of all entries is what can be spent.
 * `credit_reservations` records what has become of each page, under the lock of the account's balance:
 * repeating an operation has no effect.
 *
 * Work without a reservation (a visitor's, or a deleted account's) costs nothing: all calls except the
 * reserving ones then do nothing.
 */
import { and, eq, lt, ne, sql } from 'drizzle-orm';
import { ApiError } from '#platform/errors.ts';
import type { Database } from '#server/database/database.ts';
import { collectOwed } from './checkout/post-targets.ts';
import { lockBalance, movePageTotal, postEntry, type Transaction } from './ledger.ts';
import { creditReservations, type ReservationKind } from './schema.ts';

/**
 * A change that has not ended after this long, in ms, belongs to a dead process: two model requests of three
 * tries of three minutes each, and its compiles, end well before.
 */
const changeAbandonedMs = 30 * 60_000;
/** How long a closed reservation is kept, in ms: longer than its conversion can be retried. */
const closedRetentionMs = 48 * 60 * 60_000;

/**
 * Reserves pages 1 to `pages` of a conversion.
 * @throws ApiError INSUFFICIENT_CREDITS, with what is missing; UNAUTHORIZED if the account is gone
 */
export function reservePages(
  tx: Transaction,
  { userId, conversionId, pages }: { userId: string; conversionId: string; pages: number },
): Promise<void> {
  return reserve(tx, { kind: 'conversion', userId, subject: conversionId, units: pages });
}

/**
 * The document is delivered with these pages. A page that was released before (it failed, then was read on a
 * later try) now costs its credit if the balance has one, else nothing. The page total grows with each.
 */
export function settlePages(
  tx: Transaction,
  { conversionId, pages }: { conversionId: string; pages: readonly number[] },
): Promise<void> {
  return settle(tx, 'conversion', conversionId, pages);
}

/**
 * These pages are not delivered: reserved ones are given back; ones delivered before that the document has
 * since lost leave the total, and their credits are returned. `rest`: all that are still reserved. Returned
 * credits first pay what refunds and disputes could not take.
 */
export function releasePages(
  tx: Transaction,
  { conversionId, pages }: { conversionId: string; pages: readonly number[] | 'rest' },
): Promise<void> {
  return release(tx, 'conversion', conversionId, pages);
}

/** Reserves one AI conversation. @throws ApiError INSUFFICIENT_CREDITS, UNAUTHORIZED */
export function reserveChange(
  tx: Transaction,
  { userId, changeId }: { userId: string; changeId: string },
): Promise<void> {
  return reserve(tx, { kind: 'assistant', userId, subject: changeId, units: 1 });
}

/** The change is returned to the caller. */
export function settleChange(tx: Transaction, { changeId }: { changeId: string }): Promise<void> {
  return settle(tx, 'assistant', changeId, [1]);
}

/** Nothing is returned. */
export function releaseChange(tx: Transaction, { changeId }: { changeId: string }): Promise<void> {
  return release(tx, 'assistant', changeId, 'rest');
}

/** Conversions with pages still reserved. */
export async function listOpenConversions(db: Database): Promise<string[]> {
  const rows = await db
    .select({ subject: creditReservations.subject })
    .from(creditReservations)
    .where(and(eq(creditReservations.kind, 'conversion'), ne(creditReservations.open, [])));
  return rows.map(({ subject }) => subject);
}

/** Gives back what changes of dead processes had reserved, and deletes reservations closed long ago. */
export async function sweepReservations(
  db: Database,
  { abandonedMs = changeAbandonedMs } = {},
): Promise<void> {
  const abandoned = await db
    .select({ changeId: creditReservations.subject })
    .from(creditReservations)
    .where(
      and(
        eq(creditReservations.kind, 'assistant'),
        ne(creditReservations.open, []),
        lt(creditReservations.changedAt, ago(abandonedMs)),
      ),
    );
  for (const change of abandoned) await db.transaction((tx) => releaseChange(tx, change));
  await db
    .delete(creditReservations)
    .where(and(eq(creditReservations.open, []), lt(creditReservations.changedAt, ago(closedRetentionMs))));
}

function ago(milliseconds: number) {
  return sql`clock_timestamp() - make_interval(secs => ${milliseconds / 1000}::double precision)`;
}

interface NewReservation {
  kind: ReservationKind;
  userId: string;
  subject: string;
  units: number;
}

async function reserve(tx: Transaction, { kind, userId, subject, units }: NewReservation): Promise<void> {
  const outcome = await postEntry(tx, {
    userId,
    kind: 'reserve',
    [kind]: -units,
    cause: causeOf(kind, subject),
    key: `${kind}:${subject}:reserve`,
  });
  switch (outcome) {
    case 'posted':
      await tx
        .insert(creditReservations)
        .values({ subject, kind, userId, open: Array.from({ length: units }, (_, index) => index + 1) });
      return;
    case 'already':
      return;
    case 'no-account':
      throw new ApiError('UNAUTHORIZED');
    case 'insufficient': {
      const balance = await lockBalance(tx, userId);
      throw new ApiError('INSUFFICIENT_CREDITS', {
        source: 'user',
        shortage: { kind, required: units, available: balance?.[kind] ?? 0 },
      });
    }
  }
}

async function settle(
  tx: Transaction,
  kind: ReservationKind,
  subject: string,
  units: readonly number[],
): Promise<void> {
  const locked = await lockReservation(tx, kind, subject);
  if (!locked) return;
  const { reservation, available } = locked;
  const { open, paid, free } = reservation;
  const delivered = units.filter((unit) => !paid.includes(unit) && !free.includes(unit));
  if (delivered.length === 0) return;
  // released before, so the credit went back: taken again if there is one
  const late = delivered.filter((unit) => !open.includes(unit));
  const charged = late.slice(0, available);
  const given = late.slice(available);
  const total = kind === 'conversion' ? delivered.length : 0;
  await post(tx, reservation, 'settle', -charged.length, {
    pages: delivered,
    ...(charged.length > 0 ? { late: charged } : {}),
    ...(given.length > 0 ? { free: given } : {}),
    ...(total > 0 ? { total } : {}),
  });
  await change(tx, reservation, {
    open: open.filter((unit) => !delivered.includes(unit)),
    paid: [...paid, ...delivered.filter((unit) => !given.includes(unit))],
    free: [...free, ...given],
  });
  await movePageTotal(tx, total);
}

async function release(
  tx: Transaction,
  kind: ReservationKind,
  subject: string,
  units: readonly number[] | 'rest',
): Promise<void> {
  const locked = await lockReservation(tx, kind, subject);
  if (!locked) return;
  const { reservation } = locked;
  const { open, paid, free } = reservation;
  const isMeant = (unit: number) => (units === 'rest' ? open : units).includes(unit);
  const [freed, returned, lost] = [open.filter(isMeant), paid.filter(isMeant), free.filter(isMeant)];
  if (freed.length + returned.length + lost.length === 0) return;
  const total = kind === 'conversion' ? -(returned.length + lost.length) : 0;
  await post(tx, reservation, 'release', freed.length + returned.length, {
    pages: [...freed, ...returned, ...lost],
    ...(total < 0 ? { total } : {}),
  });
  await change(tx, reservation, {
    open: open.filter((unit) => !isMeant(unit)),
    paid: paid.filter((unit) => !isMeant(unit)),
    free: free.filter((unit) => !isMeant(unit)),
  });
  await movePageTotal(tx, total);
  const limit = { conversion: 0, assistant: 0, [kind]: freed.length + returned.length };
  await collectOwed(tx, reservation.userId, { limit, by: 'release', from: subject });
}

type Reservation = typeof creditReservations.$inferSelect;

/**
 * Locks the balance before the reservation, as an account's deletion does. Null if nothing was reserved.
 * `available`: credits of this kind that the account can spend.
 */
async function lockReservation(
  tx: Transaction,
  kind: ReservationKind,
  subject: string,
): Promise<{ reservation: Reservation; available: number } | null> {
  const isThis = and(eq(creditReservations.subject, subject), eq(creditReservations.kind, kind));
  const [found] = await tx
    .select({ userId: creditReservations.userId })
    .from(creditReservations)
    .where(isThis);
  const balance = found && (await lockBalance(tx, found.userId));
  if (!balance) return null;
  const [reservation] = await tx.select().from(creditReservations).where(isThis).for('update');
  return reservation ? { reservation, available: balance[kind] } : null;
}

async function post(
  tx: Transaction,
  { kind, subject, userId, postings }: Reservation,
  entry: 'settle' | 'release',
  credits: number,
  { pages, ...more }: { pages: number[] } & Record<string, unknown>,
): Promise<void> {
  const outcome = await postEntry(tx, {
    userId,
    kind: entry,
    [kind]: credits,
    cause: { ...causeOf(kind, subject), ...(kind === 'conversion' ? { pages } : {}), ...more },
    key: `${kind}:${subject}:${entry}:${postings + 1}`,
  });
  if (outcome !== 'posted') throw new Error(`a credit entry that has to be written was not: ${outcome}`);
}

async function change(
  tx: Transaction,
  { subject, postings }: Reservation,
  units: Pick<Reservation, 'open' | 'paid' | 'free'>,
): Promise<void> {
  await tx
    .update(creditReservations)
    .set({ ...units, postings: postings + 1, changedAt: sql`clock_timestamp()` })
    .where(eq(creditReservations.subject, subject));
}

function causeOf(kind: ReservationKind, subject: string): Record<string, string> {
  return kind === 'conversion' ? { conversion: subject } : { change: subject };
}
