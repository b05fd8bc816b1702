/** Turns a request's body into a queued conversion: admit, receive, inspect, plan, create. */
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { ApiError, invalidInput } from '#platform/errors.ts';
import { inspectFile } from '#reading/index.ts';
import { ownerIds, queueOwner, type UserCaller } from '../../http/types.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Database } from '../database.ts';
import { conversionPrefix, uploadsPrefix } from '../files.ts';
import { createSlots } from '../follow/slots.ts';
import { createConversion } from '../queue/store.ts';
import type { StoredFile } from '../schema.ts';
import { planPages } from '../stations/plan-pages.ts';
import { admitPages, admitUpload, forgetUpload, renewUpload } from './admission.ts';
import { receiveUpload } from './receive-upload.ts';
import { claimReread, digestOf, parseTurns, turnPages } from './turned-pages.ts';

/**
 * How often an upload in progress renews its record, in ms; a third of the time after which it counts as
 * abandoned.
 */
const renewalMs = 60_000;
/** Uploads that one process accepts at once: each holds a connection, a file and, for its inspection, some memory. */
const maxUploadsAtOnce = 64;
/** Limit of those per network: enough for a class that hands in at the same moment, while half is left for others. */
const maxUploadsPerNetwork = 32;

export interface AcceptOptions {
  db: Database;
  storage: Storage;
  logger: Logger;
  incoming: IncomingMessage;
  caller: UserCaller;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

let uploadsNow = 0;
const uploadSlots = createSlots({
  // a caller is limited by its conversions, which include uploads (admission.ts)
  perCaller: maxUploadsPerNetwork,
  perNetwork: maxUploadsPerNetwork,
  message: 'Too many files are being sent from your network right now. Please try again in a moment.',
  retryAfterSeconds: 10,
});

/**
 * Accepts an upload. If it throws, nothing of it remains in the storage or the tables.
 * @throws ApiError: INVALID_INPUT, PDF_TOO_LONG, COPYRIGHTED_PDF, TOO_MANY_REQUESTS, INSUFFICIENT_CREDITS, BUSY
 */
export async function acceptUpload(options: AcceptOptions): Promise<{ id: string; pageCount: number }> {
  const { db, storage, logger, incoming, caller, signal } = options;
  if (uploadsNow >= maxUploadsAtOnce)
    throw new ApiError('BUSY', {
      message: 'Too many files are being sent right now. Please try again in a moment.',
      retryAfterSeconds: 10,
    });
  const leave = uploadSlots.enter(caller);
  uploadsNow++;
  let id: string | null = null;
  let renewal: NodeJS.Timeout | undefined;
  try {
    id = await admitUpload(db, caller);
    const uploadId = id;
    renewal = setInterval(() => {
      renewUpload(db, uploadId).catch((error) =>
        logger.warn({ err: error }, 'an upload could not be renewed'),
      );
    }, renewalMs);
    const upload = await receiveUpload(incoming, storage, uploadsPrefix(id), undefined, { signal });
    const files: StoredFile[] = [];
    for (const { key, displayName } of upload.files) {
      files.push(
        await storage.withLocalFile(key, async (path) => ({
          key,
          ...(await inspectFile(path, displayName, signal, queueOwner(caller))),
          digest: await digestOf(path),
        })),
      );
    }
    const pages = planPages(files, upload.range);
    const drawings = parseDrawings(upload.fields.get('drawings'));
    const turns = parseTurns(upload.fields.get('turns'));
    const earlier = upload.fields.get('again')?.trim();
    signal.throwIfAborted();
    await db.transaction(async (tx) => {
      const again = earlier
        ? await claimReread(tx, { id: earlier, owners: ownerIds(caller) }, files, pages)
        : null;
      const isFree = again !== null;
      await admitPages(tx, caller, { conversionId: uploadId, pageCount: pages.length, isFree });
      await createConversion(tx, {
        id: uploadId,
        callerId: caller.id,
        network: caller.network,
        files: turnPages(files, pages, turns, again?.shown ?? null, again?.rereads ?? 0),
        pages,
        drawings,
      });
    });
    return { id, pageCount: pages.length };
  } catch (error) {
    if (id !== null) await undo(id);
    throw error;
  } finally {
    clearInterval(renewal);
    uploadsNow--;
    leave();
  }

  async function undo(uploadId: string): Promise<void> {
    try {
      await storage.deletePrefix(conversionPrefix(uploadId));
      await forgetUpload(db, uploadId);
    } catch (error) {
      // the upload's record remains, so the sweeper removes it later
      logger.warn({ err: error }, 'a refused upload could not be removed yet');
    }
  }
}

/** The optional field `drawings`: whether drawings become pictures or TikZ. @throws ApiError INVALID_INPUT */
function parseDrawings(value: string | undefined): 'figure' | 'tikz' {
  const text = value?.trim() || 'figure';
  if (text !== 'figure' && text !== 'tikz') throw invalidInput('drawings must be “figure” or “tikz”.');
  return text;
}
