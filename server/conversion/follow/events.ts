/**
 * A conversion's events. The table records what happened and to which page; the content of the page or result
 * is read when the event is sent, so a page that was read twice is reported once, in its current form, and
 * content is stored in one place.
 */
import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { ConversionEvent, ConversionState } from '#shared/api/conversion.ts';
import type { Storage } from '../../storage/storage.ts';
import { type Database, now, type Transaction } from '../database.ts';
import { loadResult, presentPage } from '../present.ts';
import { conversionEvents, conversionPages, conversions } from '../schema.ts';
import { sendNudge } from './notifications.ts';

/** The stored part of an event; the rest is read when it is sent. */
export type RecordedEvent =
  | { type: 'accepted' | 'delivered' | 'failed' | 'cancelled' | 'expired' }
  | { type: 'page'; pageNumber: number }
  | { type: 'stage'; state: ConversionState };

/**
 * Appends events in the transaction that makes them true. The caller holds the conversion's row lock, so that
 * ids grow without gaps in commit order. With `isAttempt`, a page or the assembly has just started or ended.
 */
export async function appendEvents(
  tx: Transaction,
  conversionId: string,
  events: readonly RecordedEvent[],
  { isAttempt = false } = {},
): Promise<void> {
  if (events.length === 0) return;
  // one statement: a page's events are most of what the queue asks of the database
  const { rows } = await tx.execute(sql`
    with numbered as (
      update conversions set last_event_id = last_event_id + ${events.length}::int
        ${isAttempt ? sql`, last_attempt_at = ${now}` : sql``}
      where id = ${conversionId} returning last_event_id - ${events.length}::int as before
    ), written as (
      insert into conversion_events (conversion_id, id, type, page_number, state)
      select ${conversionId}, before + place, event ->> 'type', (event ->> 'pageNumber')::int, event ->> 'state'
      from numbered, jsonb_array_elements(${JSON.stringify(events)}::jsonb) with ordinality as list (event, place)
    )
    select ${sendNudge({ kind: 'event', conversionId })} from numbered`);
  if (rows.length === 0) throw new Error('events were appended to a conversion that does not exist');
}

export interface SentEvent {
  id: number;
  event: ConversionEvent;
}

export interface EventBatch {
  events: SentEvent[];
  /** The state after all recorded events; null if the conversion no longer exists. */
  state: ConversionState | null;
  /** The newest recorded id this batch covers, sent or superseded. */
  lastId: number;
  isComplete: boolean;
}

/** Most events read at once; bounds a stream's memory. */
const batchSize = 50;

/** The events after `afterId`, oldest first, without those superseded in the same batch. */
export async function readEvents(
  db: Database,
  storage: Storage,
  conversionId: string,
  afterId: number,
): Promise<EventBatch> {
  // one statement, and so one moment
  const rows = await db
    .select({ conversion: conversions, event: conversionEvents, page: conversionPages })
    .from(conversions)
    .leftJoin(
      conversionEvents,
      and(eq(conversionEvents.conversionId, conversions.id), gt(conversionEvents.id, afterId)),
    )
    .leftJoin(
      conversionPages,
      and(
        eq(conversionPages.conversionId, conversions.id),
        eq(conversionPages.number, conversionEvents.pageNumber),
      ),
    )
    .where(and(eq(conversions.id, conversionId), isNull(conversions.dismissedAt)))
    .orderBy(asc(conversionEvents.id))
    .limit(batchSize);
  const [first] = rows;
  if (!first) return { events: [], state: null, lastId: afterId, isComplete: true };
  const { conversion } = first;
  const recorded = rows.flatMap(({ event }) => event ?? []);
  const pages = rows.flatMap(({ page }) => page ?? []);
  const newest = new Map(recorded.map((event) => [repeatKey(event), event.id]));
  const events: SentEvent[] = [];
  for (const event of recorded) {
    if (newest.get(repeatKey(event)) !== event.id) continue;
    const filled = await fill(event);
    if (filled) events.push({ id: event.id, event: filled });
  }
  const lastId = recorded.at(-1)?.id ?? afterId;
  return { events, state: conversion.state, lastId, isComplete: lastId >= conversion.lastEventId };

  async function fill(event: (typeof recorded)[number]): Promise<ConversionEvent | null> {
    switch (event.type) {
      case 'accepted':
        return { type: 'accepted', conversion_id: conversionId, page_count: conversion.pageCount };
      case 'page': {
        const page = pages.find((candidate) => candidate.number === event.pageNumber);
        return page ? { type: 'page', page: presentPage(page) } : null;
      }
      case 'stage':
        return event.state ? { type: 'stage', state: event.state } : null;
      case 'delivered': {
        const result = conversion.result ? await loadResult(storage, conversion.result) : null;
        return result ? { type: 'delivered', result: { ...result, conversion_id: conversionId } } : null;
      }
      case 'failed':
        // a retry has since cleared the error
        return conversion.error ? { type: 'failed', error: conversion.error } : null;
      case 'cancelled':
      case 'expired':
        return { type: event.type };
    }
  }
}

/** Events with the same key have the same content when sent, so the last one suffices. */
function repeatKey(event: { id: number; type: string; pageNumber: number | null }): string {
  if (event.type === 'page') return `page ${event.pageNumber}`;
  if (event.type === 'delivered' || event.type === 'failed') return event.type;
  return String(event.id);
}
