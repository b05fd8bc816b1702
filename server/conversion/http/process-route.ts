/**
 * POST /api/v1/process. Plain clients wait for the response; clients that accept `text/event-stream` get the
 * conversion as a stream. A plain client that disconnects cancels, because nobody could get the result; a
 * broken stream does not, because its conversion can be followed again.
 */
import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { ApiError } from '#platform/errors.ts';
import { ConversionEvent, ProcessResponse } from '#shared/api/conversion.ts';
import { ErrorObject } from '#shared/api/errors.ts';
import { allow, describeSecurity } from '../../http/access.ts';
import { type AppEnv, getUser } from '../../http/types.ts';
import { followConversion, streamConversion } from '../follow/follow.ts';
import { cancelConversion } from '../queue/store.ts';
import { removeDueFiles } from '../queue/sweep.ts';
import { acceptUpload } from './accept-upload.ts';
import type { ConversionRouteDeps } from './conversion-routes.ts';
import { eventStreamHeaders } from './route-helpers.ts';

const fields = z.object({
  file: z
    .array(z.string().meta({ format: 'binary' }))
    .min(1)
    .meta({
      description:
        'One or more files: PDF, JPEG, PNG, WebP, TIFF, GIF, BMP, HEIC or AVIF, recognised by content. Multiple files become one document in the order sent.',
    }),
  start_page: z.int().min(1).default(1).meta({ description: 'First page, counted across all files.' }),
  end_page: z.int().min(1).optional().meta({ description: 'Last page; the last of all files by default.' }),
  drawings: z.enum(['figure', 'tikz']).default('figure').meta({
    description: 'What drawings become: an image cut out of the page, or TikZ (vision model only).',
  }),
  turns: z.string().optional().meta({
    description:
      'Pages to turn, with degrees clockwise from how they are prepared: `2:90,5:180`. With `again`, from how that conversion showed them.',
  }),
  again: z.string().optional().meta({
    description:
      'conversion_id of a delivered conversion of the same files and pages: they are read once more free of charge, up to three times.',
  }),
});

const errorAnswer = (description: string) => ({
  description,
  content: { 'application/json': { schema: ErrorObject } },
});

/** The body is streamed by hand, so the route is only described here and registered separately. */
export function registerProcessRoute(app: OpenAPIHono<AppEnv>, deps: ConversionRouteDeps): void {
  app.openAPIRegistry.registerPath({
    method: 'post',
    path: '/api/v1/process',
    security: describeSecurity('user'),
    operationId: 'process',
    tags: ['Conversions'],
    summary: 'Convert files to LaTeX and PDF',
    description:
      'Costs one conversion credit per delivered page: reserved when the pages are counted, and given back for each page not delivered. Answers when the document is done or, with `Accept: text/event-stream`, streams its progress: `accepted` first, then pages and stages, then `delivered`, `failed`, `cancelled` or `expired`. The events call returns the same events again.',
    request: { body: { required: true, content: { 'multipart/form-data': { schema: fields } } } },
    responses: {
      200: {
        description: 'The document. Pages that could not be read are listed in the warnings.',
        content: {
          'application/json': { schema: ProcessResponse },
          'text/event-stream': { schema: ConversionEvent },
        },
      },
      400: errorAnswer('INVALID_INPUT: what was sent cannot be converted; the message says why.'),
      401: errorAnswer('UNAUTHORIZED: no session, before anything is uploaded.'),
      402: errorAnswer(
        'INSUFFICIENT_CREDITS: `required` pages, `available` credits; nothing of the upload is stored.',
      ),
      413: errorAnswer('PDF_TOO_LONG: more than 200 pages were requested.'),
      429: errorAnswer('TOO_MANY_REQUESTS: too many conversions are running for this caller or its network.'),
      451: errorAnswer('COPYRIGHTED_PDF, COPYRIGHT_DETECTED: published material.'),
      502: errorAnswer('GENERATION_FAILED: no page could be read.'),
      503: errorAnswer(
        'BUSY: the server is busy. AI_UNAVAILABLE, STORAGE_FULL, UNAVAILABLE: a service it needs is unavailable; nothing was charged.',
      ),
    },
  });

  app.post('/api/v1/process', allow('user'), async (c) => {
    const { db, storage, metrics } = deps;
    const caller = getUser(c);
    const logger = c.get('logger');
    const disconnected = signalOfDisconnect(c);
    try {
      const { id, pageCount } = await acceptUpload({
        db,
        storage,
        logger,
        caller,
        incoming: c.env.incoming,
        signal: disconnected,
      });
      metrics.accepted(pageCount);
      logger.info({ conversionId: id, pageCount }, 'conversion accepted');
      const follow = { ...deps, conversionId: id, afterId: 0 };
      if (wantsStream(c))
        return c.body(streamConversion({ ...follow, signal: deps.closing }), 200, eventStreamHeaders);
      const signal = AbortSignal.any([disconnected, deps.closing]);
      const answer = await waitForEnd({ ...follow, signal });
      if (answer) return c.json(answer, 200);
      // nobody could get the result any more
      await cancelConversion(db, id, [caller.id]);
      await removeDueFiles(deps, id);
      logger.info({ conversionId: id }, 'the client or this process left; conversion cancelled');
      throw new ApiError('BUSY', {
        message: 'The server is restarting. Please send the file again.',
        retryAfterSeconds: 5,
      });
    } catch (error) {
      // failures caused by the client's disconnecting are not our fault, and nobody reads the response
      const refusal = disconnected.aborted && !(error instanceof ApiError) ? brokenOff(error) : error;
      if (refusal instanceof ApiError) metrics.refused(refusal.code);
      throw refusal;
    }
  });
}

/**
 * The response to a plain call; null if `signal` was aborted first.
 * @throws ApiError the conversion's error
 */
async function waitForEnd(follow: Parameters<typeof followConversion>[0]): Promise<ProcessResponse | null> {
  let answer: ProcessResponse | null = null;
  for await (const item of followConversion(follow)) {
    if (item === 'heartbeat') continue;
    const { event } = item;
    if (event.type === 'delivered') answer = event.result;
    if (event.type === 'failed')
      throw new ApiError(event.error.code, {
        message: event.error.error,
        source: event.error.source,
        warnings: event.error.warnings,
        messages: event.error.messages,
      });
    if (event.type === 'cancelled')
      throw new ApiError('GENERATION_FAILED', { message: 'The conversion was cancelled.', source: 'user' });
    if (event.type === 'expired') throw new ApiError('GENERATION_FAILED');
  }
  if (!answer && !follow.signal.aborted)
    throw new ApiError('GENERATION_FAILED', { message: 'The conversion was dismissed.', source: 'user' });
  return answer;
}

function brokenOff(cause: unknown): ApiError {
  return new ApiError('INVALID_INPUT', { message: 'The connection was lost. Please send it again.', cause });
}

function wantsStream(c: Context<AppEnv>): boolean {
  return /\btext\/event-stream\b/i.test(c.req.header('Accept') ?? '');
}

/** Aborted if the connection closes before the response has been sent. */
function signalOfDisconnect(c: Context<AppEnv>): AbortSignal {
  const { outgoing } = c.env;
  const controller = new AbortController();
  outgoing.on('close', () => {
    if (!outgoing.writableEnded) controller.abort(new Error('the client is gone'));
  });
  return controller.signal;
}
