/**
 * The rows of conversations. Every change of a turn's state holds the lock of the account's balance and moves
 * its credit in the same transaction; whoever ends a turn first decides, and a second end finds it ended. So a
 * turn is paid for once or not at all, whichever comes first: answer, cancellation, a second tab or a killed
 * process.
 */
import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import { ApiError } from '#platform/errors.ts';
import {
  type ChangeDecision,
  freeAnswersPerDay,
  keptChanges,
  maxTurnsListed,
  type NewTurn,
} from '#shared/api/assistant.ts';
import { lockBalance, releaseChange, reserveChange, settleChange } from '../../credits/index.ts';
import type { Database } from '../../database/database.ts';
import { getDocument } from '../../library/index.ts';
import { assistantDays, assistantTurns } from '../schema.ts';

export type TurnRow = typeof assistantTurns.$inferSelect;
type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/** How long a turn counts as alive after its process last renewed the lease, in ms; and how often it does so. */
const leaseMs = 15_000;
export const renewEveryMs = 5_000;
/** Answers of one account that may be under way at the same time, one per document. */
const maxRunning = 4;
/** How much of a selection's beginning is stored for display, in UTF-16 units. */
const scopeShown = 200;

const leaseEnd = sql`clock_timestamp() + make_interval(secs => ${leaseMs / 1000}::double precision)`;
/** The current day in UTC. */
function today(): string {
  return new Date().toISOString().slice(0, 10);
}

export type BegunTurn =
  /** New, or taken up again after its process died: the caller answers it. */
  | { kind: 'begun'; row: TurnRow }
  /** The same request was sent before. */
  | { kind: 'known'; row: TurnRow };

/**
 * @throws ApiError NOT_FOUND, INSUFFICIENT_CREDITS (a fix), TOO_MANY_REQUESTS, UNAUTHORIZED if the account is
 * gone
 */
export async function beginTurn(
  db: Database,
  userId: string,
  documentId: string,
  turn: NewTurn,
): Promise<BegunTurn> {
  return db.transaction(async (tx) => {
    if (!(await lockBalance(tx, userId))) throw new ApiError('UNAUTHORIZED');
    await getDocument(tx, userId, documentId);
    await interruptExpired(tx, documentId);
    const isThis = isTurn(documentId, turn.request_id);
    const [known] = await tx.select().from(assistantTurns).where(isThis);
    if (known && known.state !== 'interrupted') return { kind: 'known', row: known };
    await requireRest(tx, userId, documentId);
    await countAnswer(tx, userId);
    const changeId = randomUUID();
    if (turn.intent !== 'explain')
      try {
        await reserveChange(tx, { userId, changeId });
      } catch (error) {
        // words are free: without a credit a question is still answered, and only its change refused
        const isQuestion =
          error instanceof ApiError && error.code === 'INSUFFICIENT_CREDITS' && turn.intent === 'ask';
        if (!isQuestion) throw error;
      }
    const scope =
      turn.selection && turn.latex.slice(turn.selection.from, turn.selection.to).slice(0, scopeShown);
    const values = {
      documentId,
      requestId: turn.request_id,
      userId,
      intent: turn.intent,
      message: turn.message.toWellFormed(),
      scope: scope?.toWellFormed() ?? null,
      logMessage: turn.log_message && isStorable(turn.log_message),
      baseVersion: turn.base_version,
      changeId,
    };
    const begun = { ...values, state: 'running' as const, answer: '', error: null, leaseUntil: leaseEnd };
    const [row] = await tx
      .insert(assistantTurns)
      .values(begun)
      .onConflictDoUpdate({ target: [assistantTurns.documentId, assistantTurns.requestId], set: begun })
      .returning();
    return { kind: 'begun', row: row! };
  });
}

/** The value as JSON, without what PostgreSQL's cannot hold. */
function isStorable<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '').toWellFormed()) as T;
}

/** @throws ApiError TOO_MANY_REQUESTS */
async function requireRest(tx: Transaction, userId: string, documentId: string): Promise<void> {
  const running = await tx
    .select({ documentId: assistantTurns.documentId })
    .from(assistantTurns)
    .where(and(eq(assistantTurns.userId, userId), eq(assistantTurns.state, 'running')));
  const isHere = running.some((turn) => turn.documentId === documentId);
  if (!isHere && running.length < maxRunning) return;
  throw new ApiError('TOO_MANY_REQUESTS', {
    message: isHere
      ? 'The assistant is still answering in this document. Wait for it, or stop it.'
      : 'The assistant is answering in several of your documents. Wait for one of them to finish.',
    retryAfterSeconds: 5,
  });
}

/** Counts an answer as free until it turns out to be a change. @throws ApiError TOO_MANY_REQUESTS */
async function countAnswer(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(assistantDays).where(and(eq(assistantDays.userId, userId), lt(assistantDays.day, today())));
  const [counted] = await tx
    .insert(assistantDays)
    .values({ userId, day: today(), freeAnswers: 1 })
    .onConflictDoUpdate({
      target: [assistantDays.userId, assistantDays.day],
      set: { freeAnswers: sql`${assistantDays.freeAnswers} + 1` },
      setWhere: lt(assistantDays.freeAnswers, freeAnswersPerDay),
    })
    .returning({ freeAnswers: assistantDays.freeAnswers });
  if (counted && counted.freeAnswers <= freeAnswersPerDay) return;
  const midnight = new Date().setUTCHours(24, 0, 0, 0);
  throw new ApiError('TOO_MANY_REQUESTS', {
    message: `You have used today’s ${freeAnswersPerDay} free answers (those without a change). Please ask again tomorrow.`,
    retryAfterSeconds: Math.ceil((midnight - Date.now()) / 1000),
  });
}

async function uncountAnswer(tx: Transaction, userId: string): Promise<void> {
  await tx
    .update(assistantDays)
    .set({ freeAnswers: sql`greatest(${assistantDays.freeAnswers} - 1, 0)` })
    .where(and(eq(assistantDays.userId, userId), eq(assistantDays.day, today())));
}

/** Renews the turn's lease. @returns whether the turn still runs under this change id */
export async function renewTurn(db: Database, row: TurnRow): Promise<boolean> {
  const renewed = await db
    .update(assistantTurns)
    .set({ leaseUntil: leaseEnd })
    .where(isRunning(row))
    .returning({ requestId: assistantTurns.requestId });
  return renewed.length > 0;
}

/** Ensures that the turn's credit is reserved. @throws ApiError INSUFFICIENT_CREDITS */
export async function claimCredit(db: Database, row: TurnRow): Promise<void> {
  await db.transaction((tx) => reserveChange(tx, row));
}

export interface TurnEnd {
  state: 'answered' | 'changed' | 'failed' | 'interrupted';
  answer: string;
  error?: TurnRow['error'];
  change?: { before: string; after: string; description: string; warnings: TurnRow['warnings'] };
  /** An answer that failed through our fault is not counted. */
  isOurs?: boolean;
}

/** @returns whether this ended it; false: it was cancelled or cleared before, and nothing is written or charged */
export async function endTurn(db: Database, row: TurnRow, end: TurnEnd): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await lockBalance(tx, row.userId))) return false;
    const { change } = end;
    const ended = await tx
      .update(assistantTurns)
      .set({
        state: end.state,
        answer: keepText(end.answer),
        error: end.error ? isStorable(end.error) : null,
        before: change?.before.toWellFormed() ?? null,
        after: change ? keepText(change.after) : null,
        description: change ? keepText(change.description) : null,
        warnings: change?.warnings ?? [],
      })
      .where(isRunning(row))
      .returning({ requestId: assistantTurns.requestId });
    if (ended.length === 0) return false;
    if (change) await settleChange(tx, row);
    else await releaseChange(tx, row);
    if (change || end.isOurs) await uncountAnswer(tx, row.userId);
    if (change) await forgetOldTexts(tx, row.documentId);
    return true;
  });
}

function keepText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** Deletes the texts of earlier changes; their words stay. */
async function forgetOldTexts(tx: Transaction, documentId: string): Promise<void> {
  const isOfThis = and(eq(assistantTurns.documentId, documentId), sql`${assistantTurns.after} is not null`);
  const old = await tx
    .select({ requestId: assistantTurns.requestId })
    .from(assistantTurns)
    .where(isOfThis)
    .orderBy(desc(assistantTurns.number))
    .offset(keptChanges);
  if (old.length === 0) return;
  const ids = old.map(({ requestId }) => requestId);
  await tx
    .update(assistantTurns)
    .set({ before: null, after: null })
    .where(and(isOfThis, inArray(assistantTurns.requestId, ids)));
}

/** Stops an answer, at no charge. An ended one stays as it is. @throws ApiError NOT_FOUND */
export async function cancelTurn(
  db: Database,
  userId: string,
  documentId: string,
  requestId: string,
  answer: string,
): Promise<TurnRow> {
  return db.transaction(async (tx) => {
    await lockBalance(tx, userId);
    const row = await getTurn(tx, userId, documentId, requestId);
    if (row.state !== 'running') return row;
    const [cancelled] = await tx
      .update(assistantTurns)
      .set({ state: 'cancelled', answer: keepText(answer) })
      .where(isRunning(row))
      .returning();
    await releaseChange(tx, row);
    return cancelled!;
  });
}

/** Removes a conversation; an answer under way is stopped first. @throws ApiError NOT_FOUND */
export async function clearTurns(db: Database, userId: string, documentId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockBalance(tx, userId);
    await getDocument(tx, userId, documentId);
    const deleted = await tx
      .delete(assistantTurns)
      .where(eq(assistantTurns.documentId, documentId))
      .returning({ state: assistantTurns.state, changeId: assistantTurns.changeId });
    for (const { state, changeId } of deleted) if (state === 'running') await releaseChange(tx, { changeId });
  });
}

/**
 * The newest turns, in chronological order. Interrupts what a dead process left running. @throws ApiError
 * NOT_FOUND
 */
export async function listTurns(db: Database, userId: string, documentId: string): Promise<TurnRow[]> {
  await getDocument(db, userId, documentId);
  await settleExpired(db, userId, documentId);
  const rows = await db
    .select()
    .from(assistantTurns)
    .where(and(eq(assistantTurns.documentId, documentId), eq(assistantTurns.userId, userId)))
    .orderBy(desc(assistantTurns.number))
    .limit(maxTurnsListed);
  return rows.reverse();
}

/** What a model is sent about an earlier turn; not its texts, which can be long. */
export type SaidTurn = Pick<TurnRow, 'message' | 'answer' | 'description' | 'decision'>;

/** The turns before this one, oldest first. */
export async function listEarlier(db: Database, row: TurnRow): Promise<SaidTurn[]> {
  const { message, answer, description, decision } = assistantTurns;
  const rows = await db
    .select({ message, answer, description, decision })
    .from(assistantTurns)
    .where(
      and(
        eq(assistantTurns.documentId, row.documentId),
        lt(assistantTurns.number, row.number),
        inArray(assistantTurns.state, ['answered', 'changed']),
      ),
    )
    .orderBy(desc(assistantTurns.number))
    .limit(40);
  return rows.reverse();
}

/** @throws ApiError NOT_FOUND */
export async function getTurn(
  db: Database | Transaction,
  userId: string,
  documentId: string,
  requestId: string,
): Promise<TurnRow> {
  await getDocument(db, userId, documentId);
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(requestId);
  const [row] = isId ? await db.select().from(assistantTurns).where(isTurn(documentId, requestId)) : [];
  if (!row) throw new ApiError('NOT_FOUND', { message: 'There is no such question in this conversation.' });
  return row;
}

/**
 * Records what the person decided about a change, which is then no longer shown as undecided. @throws ApiError
 * NOT_FOUND
 */
export async function decideTurn(
  db: Database,
  userId: string,
  documentId: string,
  requestId: string,
  decision: ChangeDecision,
): Promise<void> {
  await getTurn(db, userId, documentId, requestId);
  await db
    .update(assistantTurns)
    .set({ decision, before: null, after: null })
    .where(and(isTurn(documentId, requestId), eq(assistantTurns.state, 'changed')));
}

function isExpired(documentId: string) {
  return and(
    eq(assistantTurns.documentId, documentId),
    eq(assistantTurns.state, 'running'),
    lt(assistantTurns.leaseUntil, sql`clock_timestamp()`),
  );
}

/** Ends a turn that a dead process left running in this document, if there is one. */
export async function settleExpired(db: Database, userId: string, documentId: string): Promise<void> {
  const [found] = await db
    .select({ requestId: assistantTurns.requestId })
    .from(assistantTurns)
    .where(isExpired(documentId));
  if (!found) return;
  await db.transaction(async (tx) => {
    await lockBalance(tx, userId);
    await interruptExpired(tx, documentId);
  });
}

/** Ends what a dead process left running and returns its credit. The caller holds the balance's lock. */
async function interruptExpired(tx: Transaction, documentId: string): Promise<void> {
  const expired = await tx
    .update(assistantTurns)
    .set({ state: 'interrupted' })
    .where(isExpired(documentId))
    .returning({ changeId: assistantTurns.changeId, userId: assistantTurns.userId });
  for (const turn of expired) {
    await releaseChange(tx, turn);
    await uncountAnswer(tx, turn.userId);
  }
}

/** All turns of an account, for its export. */
export async function listTurnsOf(db: Database, userId: string): Promise<TurnRow[]> {
  return db
    .select()
    .from(assistantTurns)
    .where(eq(assistantTurns.userId, userId))
    .orderBy(asc(assistantTurns.documentId), asc(assistantTurns.number));
}

function isTurn(documentId: string, requestId: string) {
  return and(eq(assistantTurns.documentId, documentId), eq(assistantTurns.requestId, requestId));
}

function isRunning({ documentId, requestId, changeId }: TurnRow) {
  return and(
    isTurn(documentId, requestId),
    eq(assistantTurns.changeId, changeId),
    eq(assistantTurns.state, 'running'),
  );
}
