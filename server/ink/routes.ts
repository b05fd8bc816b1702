/** POST /api/v1/ink: candidates for a drawing on the pad. Nothing is stored or logged. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { ApiError } from '#platform/errors.ts';
import { WorkLost, WorkStarved } from '#platform/work/work-limit.ts';
import type { StrokeReader } from '#reading/index.ts';
import { InkRequest, InkResponse } from '#shared/api/ink.ts';
import { createRoute } from '../http/access.ts';
import { problem } from '../http/answer/describe-answers.ts';
import { type AppEnv, queueOwner } from '../http/types.ts';

const route = createRoute('visitor-without-database', {
  method: 'post',
  path: '/api/v1/ink',
  summary: 'Read a formula or a line drawn with a pen',
  description:
    'Takes pen strokes and answers with up to five readings as LaTeX, the most likely first. They are read on this server by its own model; this costs no credits, and nothing is stored.',
  request: { body: { required: true, content: { 'application/json': { schema: InkRequest } } } },
  responses: {
    200: { description: 'The candidates', content: { 'application/json': { schema: InkResponse } } },
    400: problem('INVALID_INPUT'),
    429: problem('TOO_MANY_REQUESTS: this caller or its network has too many drawings waiting'),
    503: problem('BUSY: too many drawings are waiting, or none can be read here'),
  },
});

/** @param reader null if this installation has no weights */
export function registerInkRoute(
  app: OpenAPIHono<AppEnv>,
  { reader }: { reader: StrokeReader | null },
): void {
  app.openapi(route, async (c) => {
    if (!reader) throw new ApiError('BUSY', { message: 'Handwriting cannot be read on this server.' });
    const { strokes, kind } = c.req.valid('json');
    const { signal } = c.req.raw;
    try {
      const candidates = await reader.read(strokes, kind, { owner: queueOwner(c.get('caller')), signal });
      return c.json({ candidates }, 200, { 'Cache-Control': 'no-store' });
    } catch (cause) {
      if (!(cause instanceof WorkLost || cause instanceof WorkStarved)) throw cause;
      throw new ApiError('BUSY', {
        message: 'This drawing could not be read. Please try again.',
        retryAfterSeconds: 2,
        cause,
      });
    }
  });
}
