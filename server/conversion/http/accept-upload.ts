/** From a request's body to a conversion that waits in the queue: admit, receive, inspect, plan, create. */
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { ApiError, invalidInput } from '#platform/errors.ts';
import { inspectFile } from '#reading/index.ts';
import { queueOwner, type UserCaller } from '../../http/types.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Database } from '../database.ts';
import { conversionPrefix, uploadsPrefix } from '../files.ts';
import { createSlots } from '../follow/slots.ts';
import { createConversion } from '../queue/store.ts';
import type { StoredFile } from '../schema.ts';
import { planPages } from '../stations/plan-pages.ts';
import { admitPages, admitUpload, forgetUpload, renewUpload } from './admission.ts';
import { receiveUpload } from './receive-upload.ts';

/** How often an upload under way says that it lives, in ms; a third of the time after which it counts as abandoned. */
const renewalMs = 60_000;
/** Uploads that one process takes at once: each holds a connection and a file, and its inspection some memory. */
const maxUploadsAtOnce = 64;
/** Of those, from one network: a class that hands in at the same moment, and half is left for all others. */
const maxUploadsPerNetwork = 32;

export interface AcceptOptions {
  db: Database;
  storage: Storage;
  logger: Logger;
  incoming: IncomingMessage;
  caller: UserCaller;
  /** Aborted when the client is gone. */
  signal: AbortSignal;
}

let uploadsNow = 0;
const uploadSlots = createSlots({
  // the caller's own bound is that of its conversions, which counts uploads too (admission.ts)
  perCaller: maxUploadsPerNetwork,
  perNetwork: maxUploadsPerNetwork,
  message: 'Very many files are being sent from your network just now. Please try again in a moment.',
  retryAfterSeconds: 10,
});

/**
 * Takes an upload in. When it throws, nothing of it is left in the storage or the tables.
 * @throws ApiError: INVALID_INPUT, PDF_TOO_LONG, COPYRIGHTED_PDF, TOO_MANY_REQUESTS, INSUFFICIENT_CREDITS, BUSY
 */
export async function acceptUpload(options: AcceptOptions): Promise<{ id: string; pageCount: number }> {
  const { db, storage, logger, incoming, caller, signal } = options;
  if (uploadsNow >= maxUploadsAtOnce)
    throw new ApiError('BUSY', {
      message: 'Very many files are being sent just now. Please try again in a moment.',
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
      const inspected = await storage.withLocalFile(key, (path) =>
        inspectFile(path, displayName, signal, queueOwner(caller)),
      );
      files.push({ key, ...inspected });
    }
    const pages = planPages(files, upload.range);
    const drawings = parseDrawings(upload.fields.get('drawings'));
    signal.throwIfAborted();
    await db.transaction(async (tx) => {
      await admitPages(tx, caller, { conversionId: uploadId, pageCount: pages.length });
      await createConversion(tx, {
        id: uploadId,
        callerId: caller.id,
        network: caller.network,
        files,
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
      // the upload's record stays, and the sweeper does it later
      logger.warn({ err: error }, 'a refused upload could not be removed yet');
    }
  }
}

/** The optional field `drawings`: what becomes of drawings, a picture or TikZ. @throws ApiError INVALID_INPUT */
function parseDrawings(value: string | undefined): 'figure' | 'tikz' {
  const text = value?.trim() || 'figure';
  if (text !== 'figure' && text !== 'tikz') throw invalidInput('drawings must be “figure” or “tikz”.');
  return text;
}
