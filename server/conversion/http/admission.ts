/**
 * Decides who may convert, and how much; nothing else does. Signed-in users may, for one credit a page, within
 * limits that keep one account, or many, from crowding out the others. Accounts are cheap to create, so the
 * limits against floods apply to the caller's network (`Caller.network`); they are wide enough for a school
 * behind one address. Visitors' work counts too: older releases let them convert.
 */
import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { ApiError } from '#platform/errors.ts';
import { reservePages } from '../../credits/index.ts';
import type { Caller, UserCaller } from '../../http/types.ts';
import type { Database, Transaction } from '../database.ts';
import { now } from '../database.ts';
import { uploadAbandonedMs } from '../queue/sweep.ts';
import { conversionUploads } from '../schema.ts';

/** Conversions and uploads that one account may have under way. A person has one or two; a script has to wait. */
const maxRunningPerCaller = 5;
/** The same for all accounts of one network: a class of thirty, two each. */
export const maxRunningPerNetwork = 60;
/**
 * Waiting pages allowed per network: a class of thirty with a long notebook each, yet well below the
 * installation's limit, so that others still find room.
 */
export const maxWaitingPagesPerNetwork = 2_000;
/**
 * Waiting pages allowed in the whole installation. Eight at a time, at about five seconds each, take an hour,
 * the time after which a conversion expires: more would be accepted only to be lost.
 */
const maxWaitingPages = 5_000;

const networkIsBusy =
  'Too many pages are being converted for your network right now. Please try again in a few minutes.';

/** Seconds after which a refused caller may retry: about as long as a short conversion takes. */
const retryAfterSeconds = 15;

/**
 * Called before the first byte of an upload is accepted. Records the upload, so that it counts and gets cleaned
 * up.
 * @returns the id that the conversion will have
 * @throws ApiError TOO_MANY_REQUESTS, BUSY
 */
export async function admitUpload(db: Database, caller: UserCaller): Promise<string> {
  return db.transaction(async (tx) => {
    await refuseWhenFull(tx, 0);
    await lockNetwork(tx, caller);
    const { rows } = await tx.execute<{ own: number; network: number }>(sql`
      select count(*) filter (where caller_id = ${caller.id})::int as own,
             count(*) filter (where turn = ${caller.network})::int as network
      from (
        select caller_id, turn from conversions
          where state in ('reading', 'assembling') and dismissed_at is null
        union all
        select caller_id, turn from conversion_uploads
          where renewed_at > clock_timestamp() - make_interval(secs => ${uploadAbandonedMs / 1000}::double precision)
      ) running`);
    const { own = 0, network = 0 } = rows[0] ?? {};
    if (own >= maxRunningPerCaller)
      throw new ApiError('TOO_MANY_REQUESTS', {
        message: `You have ${maxRunningPerCaller} conversions running already. Wait until one is finished, or cancel one.`,
        retryAfterSeconds,
      });
    if (network >= maxRunningPerNetwork)
      throw new ApiError('TOO_MANY_REQUESTS', { message: networkIsBusy, retryAfterSeconds });
    const id = randomUUID();
    await tx.insert(conversionUploads).values({ id, callerId: caller.id, network: caller.network });
    return id;
  });
}

/** Marks an upload as still alive. */
export async function renewUpload(db: Database, id: string): Promise<void> {
  await db.update(conversionUploads).set({ renewedAt: now }).where(eq(conversionUploads.id, id));
}

/** Deletes the record of an upload that failed. */
export async function forgetUpload(db: Database, id: string): Promise<void> {
  await db.delete(conversionUploads).where(eq(conversionUploads.id, id));
}

/**
 * Called once the pages are counted, in the transaction that creates the conversion: takes a credit for each unless they are free.
 * @throws ApiError TOO_MANY_REQUESTS, BUSY, INSUFFICIENT_CREDITS
 */
export async function admitPages(
  tx: Transaction,
  caller: UserCaller,
  { conversionId, pageCount, isFree = false }: { conversionId: string; pageCount: number; isFree?: boolean },
): Promise<void> {
  await lockNetwork(tx, caller);
  if ((await countWaitingPages(tx, caller.network)) + pageCount > maxWaitingPagesPerNetwork)
    throw new ApiError('TOO_MANY_REQUESTS', { message: networkIsBusy, retryAfterSeconds: 120 });
  await refuseWhenFull(tx, pageCount);
  if (!isFree) await reservePages(tx, { userId: caller.id, conversionId, pages: pageCount });
}

/** Serialises admissions per network (and so per account in it), so that no count becomes outdated. */
async function lockNetwork(tx: Transaction, caller: Caller): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`admission ${caller.network}`}, 0))`);
}

/** Number of waiting pages: of one network, or of all. */
async function countWaitingPages(tx: Transaction, network?: string): Promise<number> {
  const { rows } = await tx.execute<{ waiting: number }>(
    sql`select count(*)::int as waiting
        from conversions c join conversion_pages p on p.conversion_id = c.id
        where c.state = 'reading' and p.state = 'waiting'
          and ${network === undefined ? sql`true` : sql`c.turn = ${network}`}`,
  );
  return rows[0]?.waiting ?? 0;
}

async function refuseWhenFull(tx: Transaction, added: number): Promise<void> {
  if ((await countWaitingPages(tx)) + added > maxWaitingPages)
    throw new ApiError('BUSY', {
      message: 'Too many pages are waiting to be read right now. Please try again in a few minutes.',
      retryAfterSeconds: 120,
    });
}
