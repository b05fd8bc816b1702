/**
 * The tables of a conversion. The pages table is also the queue: a waiting row is a job, and a lease says who
 * works on it (docs/decisions/011-conversion-queue.md). Content (LaTeX) is stored in `transcription` and
 * `result` only, so that deleting a conversion's content means emptying two columns and one storage prefix.
 * Row-level security is on without a policy: a Supabase that keeps the accounts exposes this schema through
 * REST, and these rows are the server's alone.
 */
import { sql } from 'drizzle-orm';
import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { CroppedFigure, Quarters, TranscribedPage } from '#reading/index.ts';
import { moment } from '#server/database/columns.ts';
import type {
  ConversionEvent,
  ConversionState,
  DocumentDoubt,
  PageState,
  SourceMap,
} from '#shared/api/conversion.ts';
import type { ErrorObject, Warning } from '#shared/api/errors.ts';

/** One uploaded file of a conversion. `key` is its storage key. */
export interface StoredFile {
  key: string;
  kind: 'pdf' | 'image';
  /** Pages or frames in the whole file, regardless of the range. */
  pageCount: number;
  /** SHA-256 of its bytes: tells whether the same file is sent again. */
  digest?: string;
  /** Page index → quarter turns clockwise, for pages that somebody rotated. */
  turns?: Record<number, Quarters>;
  /** How often its pages have been read again free of charge. */
  rereads?: number;
}

/** A page as read, without its crops: their bytes are stored under `folder` (ends with `/`), by name. */
export type StoredTranscription = Omit<TranscribedPage, 'figures'> & {
  figures: Omit<CroppedFigure, 'bytes'>[];
  folder: string;
  /** The page is blank. */
  isBlank?: true;
  /** The orientation in which it was read, if a person or a model decided it. */
  turn?: Quarters;
};

/** What was delivered; the PDF and figures are stored under `folder`. */
export interface StoredResult {
  latex: string;
  warnings: Warning[];
  figures: { name: string; mediaType: 'image/png' | 'image/jpeg' }[];
  /** Absent in results stored before this field existed. */
  doubtful?: DocumentDoubt[];
  /** Likewise. */
  lines?: SourceMap['lines'];
  /** Storage prefix, ending with `/`. */
  folder: string;
  /** Numbers of the pages in the document. */
  pages: number[];
}

export const conversions = pgTable(
  'conversions',
  {
    id: uuid('id').primaryKey(),
    /** The owner (`Caller.id`): an account's id, or a visitor's. */
    callerId: text('caller_id').notNull(),
    /**
     * The network it came from, as a keyed hash; networks take turns in the queue. Empty in rows of a release
     * that did not write it.
     */
    network: text('turn').notNull().default(''),
    state: text('state').$type<ConversionState>().notNull(),
    pageCount: integer('page_count').notNull(),
    files: jsonb('files').$type<StoredFile[]>().notNull(),
    drawings: text('drawings').$type<'figure' | 'tikz'>().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** When a page or the assembly last started or ended; the lifetime counts from here. */
    lastAttemptAt: moment('last_attempt_at').notNull().defaultNow(),
    /** Id of the newest row in conversion_events. */
    lastEventId: integer('last_event_id').notNull().default(0),
    result: jsonb('result').$type<StoredResult>(),
    error: jsonb('error').$type<ErrorObject>(),
    assemblyAttempts: integer('assembly_attempts').notNull().default(0),
    assemblyToken: uuid('assembly_token'),
    assemblyLeaseUntil: moment('assembly_lease_until'),
    /** Set when nothing more can happen; upload, renders and crops are then deleted. */
    endedAt: moment('ended_at'),
    dismissedAt: moment('dismissed_at'),
    workFilesGoneAt: moment('work_files_gone_at'),
    allFilesGoneAt: moment('all_files_gone_at'),
  },
  (table) => [
    index('conversions_caller').on(table.callerId),
    index('conversions_active').on(table.state).where(sql`state in ('reading', 'assembling')`),
    index('conversions_to_sweep').on(table.lastAttemptAt).where(sql`all_files_gone_at is null`),
  ],
).enableRLS();

export const conversionPages = pgTable(
  'conversion_pages',
  {
    conversionId: uuid('conversion_id').notNull(),
    /** 1-based position in the document. */
    number: integer('number').notNull(),
    /** Which of the conversion's files, and which page of it, both from 0. */
    fileIndex: integer('file_index').notNull(),
    pageIndex: integer('page_index').notNull(),
    state: text('state').$type<PageState>().notNull(),
    transcription: jsonb('transcription').$type<StoredTranscription>(),
    error: jsonb('error').$type<ErrorObject>(),
    /** Storage key of the displayed picture, once it exists. */
    previewKey: text('preview_key'),
    /** Leases taken since the page began to wait for its first or a retried reading. */
    attempts: integer('attempts').notNull().default(0),
    leaseToken: uuid('lease_token'),
    leaseUntil: moment('lease_until'),
    leasedAt: moment('leased_at'),
  },
  (table) => [
    primaryKey({ columns: [table.conversionId, table.number] }),
    foreignKey({ columns: [table.conversionId], foreignColumns: [conversions.id] }).onDelete('cascade'),
    index('conversion_pages_queue').on(table.state).where(sql`state in ('waiting', 'reading')`),
  ],
).enableRLS();

export const conversionEvents = pgTable(
  'conversion_events',
  {
    conversionId: uuid('conversion_id').notNull(),
    /** Grows by one within the conversion; assigned under the conversion's row lock. */
    id: integer('id').notNull(),
    type: text('type').$type<ConversionEvent['type']>().notNull(),
    /** For `page`. The page's content is read when the event is sent. */
    pageNumber: integer('page_number'),
    /** For `stage`. */
    state: text('state').$type<ConversionState>(),
    at: moment('at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.conversionId, table.id] }),
    foreignKey({ columns: [table.conversionId], foreignColumns: [conversions.id] }).onDelete('cascade'),
  ],
).enableRLS();

/** An upload in progress, recorded before its first byte is stored, so that a crash leaves no orphan. */
export const conversionUploads = pgTable(
  'conversion_uploads',
  {
    /** The id the conversion will have. */
    id: uuid('id').primaryKey(),
    callerId: text('caller_id').notNull(),
    /** As for conversions. */
    network: text('turn').notNull().default(''),
    startedAt: moment('started_at').notNull().defaultNow(),
    /** Renewed while bytes arrive; an old one belongs to a dead process. */
    renewedAt: moment('renewed_at').notNull().defaultNow(),
  },
  (table) => [index('conversion_uploads_caller').on(table.callerId)],
).enableRLS();
