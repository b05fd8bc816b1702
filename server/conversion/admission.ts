/**
 * Who may convert, and how much: the one place that is asked. Today every visitor may, within bounds that keep one
 * visitor, or a flood of them, from taking the service from the others. Accounts and credits are asked here too: who
 * the caller is before the upload, what the pages cost once they are counted.
 */
import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { ApiError } from '#server/platform/errors.ts';
import type { Caller } from '#server/platform/http/types.ts';
import type { Database, Transaction } from './database.ts';
import { now } from './database.ts';
import { conversionUploads } from './schema.ts';
import { uploadAbandonedMs } from './sweep.ts';

/** Conversions and uploads that one visitor may have under way. A person has one or two; a script has to wait. */
export const maxRunningPerCaller = 5;
/**
 * Pages that may wait in the whole installation. At eight pages side by side of some five seconds each, this many
 * take an hour, the time after which a conversion expires: more could only be accepted to be lost.
 */
export const maxWaitingPages = 5_000;

/** Seconds after which a refused caller may try again: about what a short conversion takes. */
const retryAfterSeconds = 15;

/**
 * Asked before the first byte of an upload is taken. Records the upload, which is what makes it count and be cleaned up.
 * @returns the id that the conversion will have
 * @throws ApiError TOO_MANY_REQUESTS, BUSY
 */
export async function admitUpload(db: Database, caller: Caller): Promise<string> {
  return db.transaction(async (tx) => {
    await refuseWhenFull(tx, 0);
    // one admission at a time for one caller, so that its count cannot be overtaken
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`admission ${caller.id}`}, 0))`);
    const { rows } = await tx.execute<{ running: number }>(sql`
      select ((select count(*) from conversions
                where caller_id = ${caller.id} and state in ('reading', 'assembling') and dismissed_at is null)
            + (select count(*) from conversion_uploads
                where caller_id = ${caller.id}
                  and renewed_at > clock_timestamp() - make_interval(secs => ${uploadAbandonedMs / 1000}::double precision))
             )::int as running`);
    if ((rows[0]?.running ?? 0) >= maxRunningPerCaller)
      throw new ApiError('TOO_MANY_REQUESTS', {
        message: `You have ${maxRunningPerCaller} conversions running already. Wait until one is done, or cancel one.`,
        retryAfterSeconds,
      });
    const id = randomUUID();
    await tx.insert(conversionUploads).values({ id, callerId: caller.id });
    return id;
  });
}

/** Says that an upload is still alive. */
export async function renewUpload(db: Database, id: string): Promise<void> {
  await db.update(conversionUploads).set({ renewedAt: now }).where(eq(conversionUploads.id, id));
}

/** Forgets an upload that came to nothing. */
export async function forgetUpload(db: Database, id: string): Promise<void> {
  await db.delete(conversionUploads).where(eq(conversionUploads.id, id));
}

/**
 * Asked once the pages are counted, in the transaction that creates the conversion: here credits will be reserved.
 * @throws ApiError BUSY
 */
export async function admitPages(tx: Transaction, _caller: Caller, pageCount: number): Promise<void> {
  await refuseWhenFull(tx, pageCount);
}

async function refuseWhenFull(tx: Transaction, added: number): Promise<void> {
  const { rows } = await tx.execute<{ waiting: number }>(
    sql`select count(*)::int as waiting
        from conversions c join conversion_pages p on p.conversion_id = c.id
        where c.state = 'reading' and p.state = 'waiting'`,
  );
  if ((rows[0]?.waiting ?? 0) + added > maxWaitingPages)
    throw new ApiError('BUSY', {
      message: 'Very many pages are waiting to be read just now. Please try again in a few minutes.',
      retryAfterSeconds: 120,
    });
}
