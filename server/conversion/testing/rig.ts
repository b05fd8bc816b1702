/** The basis of the feature's database tests: a real database, a real folder storage, a real listening connection. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { plainPage } from '#latex/assemble/page-body.ts';
import type { TranscribedPage } from '#reading/transcriber.ts';
import type { OpenedDatabase } from '#server/database/database.ts';
import { openStorage } from '#server/storage/open-storage.ts';
import type { Storage } from '#server/storage/storage.ts';
import { createTestDatabase } from '../../../test-support/database.ts';
import { startS3StandIn } from '../../../test-support/stand-ins/s3-stand-in.ts';
import { pagePrefix, uploadsPrefix } from '../files.ts';
import { listenForNotifications, type Notifications } from '../follow/notifications.ts';
import type { PageJob } from '../queue/jobs.ts';
import type { PageOutcome } from '../queue/outcomes.ts';
import { createConversion } from '../queue/store.ts';
import { conversionUploads } from '../schema.ts';

export const silentLogger = pino({ level: 'silent' });

export interface Rig {
  database: OpenedDatabase;
  db: OpenedDatabase['db'];
  storage: Storage;
  storageFolder: string;
  notifications: Notifications;
  /** Creates a waiting conversion of one file with arbitrary content; by default each caller has its own network. */
  create(callerId: string, pageCount: number, network?: string): Promise<string>;
  close(): Promise<void>;
}

/** @param kind the storage: a folder, or S3 as spoken by the stand-in on loopback */
export async function createRig(kind: 'folder' | 's3' = 'folder'): Promise<Rig> {
  const database = await createTestDatabase();
  const storageFolder = await mkdtemp(path.join(os.tmpdir(), 'inkproof-conversion-'));
  const s3 = kind === 's3' ? await startS3StandIn() : null;
  const storage = openStorage({
    DATA_DIR: storageFolder,
    STORAGE_URL: s3 ? s3.storageUrl('notes') : `file:${storageFolder}`,
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
  });
  const notifications = await listenForNotifications(database.url, silentLogger);
  return {
    database,
    db: database.db,
    storage,
    storageFolder,
    notifications,
    async create(callerId, pageCount, network = `network of ${callerId}`) {
      const id = randomUUID();
      const key = `${uploadsPrefix(id)}0000`;
      // as an upload is recorded: a sweeper that starts now would otherwise remove its file
      await database.db.insert(conversionUploads).values({ id, callerId, network });
      await storage.put(key, new TextEncoder().encode('an upload'));
      await database.db.transaction((tx) =>
        createConversion(tx, {
          id,
          callerId,
          network,
          drawings: 'figure',
          files: [{ key, kind: 'pdf', pageCount }],
          pages: Array.from({ length: pageCount }, (_, index) => ({
            number: index + 1,
            fileIndex: 0,
            pageIndex: index,
          })),
        }),
      );
      return id;
    },
    async close() {
      await notifications.close();
      await database.close();
      await s3?.close();
      await rm(storageFolder, { recursive: true, force: true });
    },
  };
}

/** A page as a reader would return it. */
export function pageWith(body: string): TranscribedPage {
  return { ...plainPage(body), figures: [] };
}

/** The outcome of a page that was read. */
export function readOutcome(job: PageJob, body = `Page ${job.number}.`): PageOutcome {
  const folder = pagePrefix(job.conversionId, job.number, job.token);
  return { kind: 'read', transcription: { ...pageWith(body), folder }, previewKey: null };
}

export function failedOutcome(message = 'The ink is too faint.'): PageOutcome {
  return {
    kind: 'failed',
    error: { code: 'GENERATION_FAILED', error: message, source: 'server' },
    previewKey: null,
  };
}
