/** The calls on one conversion: look, follow, cancel, retry a page, dismiss, and its files. Owner only. */

import { Readable } from 'node:stream';
import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { zipSync } from 'fflate';
import { ApiError } from '#platform/errors.ts';
import { Conversion, ConversionEvent } from '#shared/api/conversion.ts';
import { ErrorObject } from '#shared/api/errors.ts';
import { createRoute } from '../../http/access.ts';
import { DownloadQuery, shownOrSaved } from '../../http/answer/attachment.ts';
import { type AppEnv, type Caller, ownerIds } from '../../http/types.ts';
import { type Storage, StorageNotFound } from '../../storage/storage.ts';
import type { Database } from '../database.ts';
import { parseLastEventId, streamConversion } from '../follow/follow.ts';
import type { Notifications } from '../follow/notifications.ts';
import type { Slots } from '../follow/slots.ts';
import { figureKey, loadResult, pdfKey, presentConversion } from '../present.ts';
import type { ConversionMetrics } from '../queue/metrics.ts';
import {
  cancelConversion,
  dismissConversion,
  findPage,
  getConversion,
  listPages,
  retryPage,
} from '../queue/store.ts';
import { removeDueFiles } from '../queue/sweep.ts';
import type { StoredResult } from '../schema.ts';
import { isAtRest } from '../state-machine.ts';
import { eventStreamHeaders } from './route-helpers.ts';

export interface ConversionRouteDeps {
  db: Database;
  storage: Storage;
  notifications: Notifications;
  metrics: ConversionMetrics;
  streams: Slots;
  /** Aborted when the server shuts down: streams end, and clients reconnect to another process. */
  closing: AbortSignal;
}

const IdParams = z.object({ id: z.string().meta({ description: 'conversion_id' }) });
const PageParams = IdParams.extend({ number: z.coerce.number().int().min(1).max(1_000_000) });
const FigureParams = IdParams.extend({ name: z.string() });
const LastEventId = z.object({
  'last-event-id': z.string().optional().meta({ description: 'Id of the last event the client has.' }),
});

const notFound = {
  description: 'NOT_FOUND: this caller has no such conversion, or the file has been deleted.',
  content: { 'application/json': { schema: ErrorObject } },
};
const conversionAnswer = {
  description: 'The current state of the conversion',
  content: { 'application/json': { schema: Conversion } },
};
const tags = ['Conversions'];
const base = '/api/v1/conversions/{id}';
const file = (type: string, description: string) => ({
  description,
  content: { [type]: { schema: z.string().meta({ format: 'binary' }) } },
});

const routes = {
  get: createRoute('visitor', {
    method: 'get',
    path: base,
    operationId: 'getConversion',
    tags,
    summary: 'A conversion, with its pages and its result',
    request: { params: IdParams },
    responses: { 200: conversionAnswer, 404: notFound },
  }),
  events: createRoute('visitor', {
    method: 'get',
    path: `${base}/events`,
    operationId: 'followConversion',
    tags,
    summary: 'Follow a conversion by Server-Sent Events',
    description:
      'From the beginning, or after Last-Event-ID. The stream ends when nothing more will happen without a retry; the answer is 204 when that is already so and there is nothing new.',
    request: { params: IdParams, headers: LastEventId },
    responses: {
      200: {
        description: 'One ConversionEvent per event',
        content: { 'text/event-stream': { schema: ConversionEvent } },
      },
      204: { description: 'The conversion has stopped and the client has every event.' },
      404: notFound,
      429: {
        description: 'TOO_MANY_REQUESTS: this caller or its network has too many open streams.',
        content: { 'application/json': { schema: ErrorObject } },
      },
    },
  }),
  cancel: createRoute('visitor', {
    method: 'post',
    path: `${base}/cancel`,
    operationId: 'cancelConversion',
    tags,
    summary: 'Stop a conversion',
    description:
      'A document that has been delivered is kept. If the conversion has already stopped, nothing changes.',
    request: { params: IdParams },
    responses: { 200: conversionAnswer, 404: notFound },
  }),
  retry: createRoute('visitor', {
    method: 'post',
    path: `${base}/pages/{number}/retry`,
    operationId: 'retryPage',
    tags,
    summary: 'Read a failed page again',
    request: { params: PageParams },
    responses: {
      202: conversionAnswer,
      400: {
        description: 'INVALID_INPUT: this page cannot be retried.',
        content: { 'application/json': { schema: ErrorObject } },
      },
      404: notFound,
    },
  }),
  dismiss: createRoute('visitor', {
    method: 'delete',
    path: base,
    operationId: 'dismissConversion',
    tags,
    summary: 'Delete a conversion and all its files',
    request: { params: IdParams },
    responses: { 204: { description: 'Deleted.' }, 404: notFound },
  }),
  image: createRoute('visitor', {
    method: 'get',
    path: `${base}/pages/{number}/image`,
    operationId: 'getPageImage',
    tags,
    summary: 'The picture of a page, upright and straightened',
    description:
      'Available once the page has been read or has failed, until shortly after the conversion has ended.',
    request: { params: PageParams },
    responses: { 200: file('image/jpeg', 'The picture'), 404: notFound },
  }),
  figure: createRoute('visitor', {
    method: 'get',
    path: `${base}/figures/{name}`,
    operationId: 'getFigure',
    tags,
    summary: 'A figure of the delivered document',
    request: { params: FigureParams },
    responses: { 200: file('image/*', 'The figure, PNG or JPEG'), 404: notFound },
  }),
  pdf: createRoute('visitor', {
    method: 'get',
    path: `${base}/result.pdf`,
    operationId: 'getResultPdf',
    tags,
    summary: 'The delivered PDF',
    request: { params: IdParams, query: DownloadQuery },
    responses: { 200: file('application/pdf', 'The PDF'), 404: notFound },
  }),
  zip: createRoute('visitor', {
    method: 'get',
    path: `${base}/result.zip`,
    operationId: 'getResultZip',
    tags,
    summary: 'LaTeX, PDF and figures in one archive',
    request: { params: IdParams },
    responses: { 200: file('application/zip', 'The archive'), 404: notFound },
  }),
};

/** Personal events and files: no cache in between may keep a copy. */
const privateHeaders = { 'Cache-Control': 'private, no-store' };

export function registerOwnedRoutes(app: OpenAPIHono<AppEnv>, deps: ConversionRouteDeps): void {
  const { db, storage } = deps;

  const showConversion = async (id: string, caller: Caller): Promise<Conversion> => {
    const conversion = await getConversion(db, id, ownerIds(caller));
    const pages = await listPages(db, id);
    const result = conversion.result ? await loadResult(storage, conversion.result) : null;
    return presentConversion(conversion, pages, result);
  };

  app.openapi(routes.get, async (c) => {
    return c.json(await showConversion(c.req.valid('param').id, c.get('caller')), 200, privateHeaders);
  });

  app.openapi(routes.events, async (c) => {
    const { id } = c.req.valid('param');
    const conversion = await getConversion(db, id, ownerIds(c.get('caller')));
    const afterId = parseLastEventId(c.req.valid('header')['last-event-id']);
    if (isAtRest(conversion.state) && afterId >= conversion.lastEventId) return c.body(null, 204);
    const onEnd = deps.streams.enter(c.get('caller'));
    const body = streamConversion({ ...deps, conversionId: id, afterId, signal: deps.closing, onEnd });
    return c.body(body, 200, eventStreamHeaders);
  });

  app.openapi(routes.cancel, async (c) => {
    const { id } = c.req.valid('param');
    await cancelConversion(db, id, ownerIds(c.get('caller')));
    await removeDueFiles(deps, id);
    return c.json(await showConversion(id, c.get('caller')), 200, privateHeaders);
  });

  app.openapi(routes.retry, async (c) => {
    const { id, number } = c.req.valid('param');
    await retryPage(db, id, ownerIds(c.get('caller')), number);
    return c.json(await showConversion(id, c.get('caller')), 202, privateHeaders);
  });

  app.openapi(routes.dismiss, async (c) => {
    const { id } = c.req.valid('param');
    await dismissConversion(db, id, ownerIds(c.get('caller')));
    await removeDueFiles(deps, id);
    return c.body(null, 204);
  });

  app.openapi(routes.image, async (c) => {
    const { id, number } = c.req.valid('param');
    await getConversion(db, id, ownerIds(c.get('caller')));
    const key = (await findPage(db, id, number))?.previewKey;
    if (!key) throw fileNotFound();
    return c.body(await openFile(storage, key), 200, { ...privateHeaders, 'Content-Type': 'image/jpeg' });
  });

  const getResult = async (id: string, caller: Caller): Promise<StoredResult> => {
    const { result } = await getConversion(db, id, ownerIds(caller));
    if (!result) throw fileNotFound();
    return result;
  };

  app.openapi(routes.figure, async (c) => {
    const { id, name } = c.req.valid('param');
    const result = await getResult(id, c.get('caller'));
    const figure = result.figures.find((candidate) => candidate.name === name);
    if (!figure) throw fileNotFound();
    const body = await openFile(storage, figureKey(result, name));
    return c.body(body, 200, { ...privateHeaders, 'Content-Type': figure.mediaType });
  });

  app.openapi(routes.pdf, async (c) => {
    const result = await getResult(c.req.valid('param').id, c.get('caller'));
    return c.body(await openFile(storage, pdfKey(result)), 200, {
      ...privateHeaders,
      'Content-Type': 'application/pdf',
      'Content-Disposition': shownOrSaved('document.pdf', c.req.valid('query')),
    });
  });

  app.openapi(routes.zip, async (c) => {
    const result = await getResult(c.req.valid('param').id, c.get('caller'));
    return c.body(await packResult(storage, result), 200, {
      ...privateHeaders,
      'Content-Type': 'application/zip',
      'Content-Disposition': 'attachment; filename="document.zip"',
    });
  });
}

function fileNotFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such file.' });
}

async function openFile(storage: Storage, key: string): Promise<ReadableStream<Uint8Array>> {
  try {
    return Readable.toWeb(await storage.getStream(key)) as ReadableStream<Uint8Array>;
  } catch (error) {
    if (error instanceof StorageNotFound) throw fileNotFound();
    throw error;
  }
}

/** `document.tex`, `document.pdf` and the figures next to them, named as in `\includegraphics`. */
async function packResult(storage: Storage, result: StoredResult): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const entries: Record<string, Uint8Array> = {
      'document.tex': new TextEncoder().encode(result.latex),
      'document.pdf': await storage.getBytes(pdfKey(result)),
    };
    for (const { name } of result.figures) entries[name] = await storage.getBytes(figureKey(result, name));
    // PDF, PNG and JPEG are compressed already
    return zipSync(entries, { level: 1 });
  } catch (error) {
    if (error instanceof StorageNotFound) throw fileNotFound();
    throw error;
  }
}
