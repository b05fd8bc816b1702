/** POST /api/v1/request-change (specification, section 7). */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { ChangeRequest, ChangeResponse } from '#shared/api/documents.ts';
import { ErrorObject } from '#shared/api/errors.ts';
import { ApiError, invalidInput } from '../platform/errors.ts';
import { createRoute } from '../platform/http/access.ts';
import { type AppEnv, queueOwner } from '../platform/http/types.ts';
import type { Assistant } from './assistant.ts';

const problem = (description: string) => ({
  description,
  content: { 'application/json': { schema: ErrorObject } },
});

const requestChange = createRoute('visitor', {
  method: 'post',
  path: '/api/v1/request-change',
  summary: 'Change a document as asked',
  description:
    'With a model configured, any change in any words. Without one, a small set of exact edits (title, author, class options, margins, numbering, replace, sectioning) and a plain refusal of the rest. What is returned has been compiled.',
  request: { body: { required: true, content: { 'application/json': { schema: ChangeRequest } } } },
  responses: {
    200: { description: 'The changed document', content: { 'application/json': { schema: ChangeResponse } } },
    400: problem(
      'INVALID_INPUT: the change cannot be made; the sentence says why and what can be done instead',
    ),
    422: problem(
      'COMPILATION_FAILED: the change was made but would not compile; the document stays as it was',
    ),
    502: problem('GENERATION_FAILED: the model is out of reach'),
    503: problem('BUSY: the typesetter is full; Retry-After says when to come back'),
  },
});

export function registerAssistantRoutes(app: OpenAPIHono<AppEnv>, deps: { assistant: Assistant }): void {
  app.openapi(requestChange, async (c) => {
    const request = c.req.valid('json');
    const outcome = await deps.assistant.change(request, {
      owner: queueOwner(c.get('caller')),
      signal: c.req.raw.signal,
    });
    switch (outcome.kind) {
      case 'changed':
        return c.json(
          {
            latex: outcome.latex,
            ...(outcome.description ? { description: outcome.description } : {}),
            ...(outcome.warnings.length ? { warnings: outcome.warnings } : {}),
          },
          200,
        );
      case 'declined':
        throw invalidInput(outcome.message);
      case 'unproven':
        throw new ApiError('COMPILATION_FAILED', { source: 'server', messages: outcome.messages });
      case 'unavailable':
        if (outcome.retryAfterSeconds !== undefined)
          throw new ApiError('BUSY', {
            message: outcome.message,
            retryAfterSeconds: outcome.retryAfterSeconds,
          });
        throw new ApiError('GENERATION_FAILED');
    }
  });
}
