/**
 * POST /api/v1/request-change (specification, section 7). One AI conversation is reserved before the work, used
 * if LaTeX is returned and given back otherwise, also if the client has left before the answer, because nothing
 * was returned then. The credits room's sweep gives back what a dead process had reserved.
 */

import { randomUUID } from 'node:crypto';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { ApiError, invalidInput } from '#platform/errors.ts';
import { problem } from '#server/http/answer/describe-answers.ts';
import { ChangeRequest, ChangeResponse } from '#shared/api/documents.ts';
import { releaseChange, reserveChange, settleChange } from '../credits/index.ts';
import type { Database } from '../database/database.ts';
import { createRoute } from '../http/access.ts';
import { type AppEnv, getUser, queueOwner } from '../http/types.ts';
import type { Assistant } from './assistant.ts';
import type { ChangeOutcome } from './change-outcome.ts';

const requestChange = createRoute('user', {
  method: 'post',
  path: '/api/v1/request-change',
  summary: 'Make a change to a document',
  description:
    'With a model configured, any change in any words. Without one, a small set of exact edits (title, author, class options, margins, numbering, replace, sectioning); anything else is refused. What is returned has been compiled. Costs one AI conversation if LaTeX is returned, otherwise nothing.',
  request: { body: { required: true, content: { 'application/json': { schema: ChangeRequest } } } },
  responses: {
    200: { description: 'The changed document', content: { 'application/json': { schema: ChangeResponse } } },
    400: problem('INVALID_INPUT: the change cannot be made; the message says why and what to do instead'),
    401: problem('UNAUTHORIZED: no session'),
    402: problem('INSUFFICIENT_CREDITS: no AI conversations left'),
    422: problem(
      'COMPILATION_FAILED: the change was made but would not compile; the document stays as it was',
    ),
    502: problem('GENERATION_FAILED: the model gave no usable answer'),
    503: problem(
      'AI_UNAVAILABLE: the AI vendor cannot be reached. BUSY: the typesetter is busy; Retry-After says when to try again',
    ),
  },
});

export interface AssistantRouteDeps {
  assistant: Assistant;
  db: Database;
}

export function registerAssistantRoutes(
  app: OpenAPIHono<AppEnv>,
  { assistant, db }: AssistantRouteDeps,
): void {
  app.openapi(requestChange, async (c) => {
    const request = c.req.valid('json');
    const caller = getUser(c);
    const { signal } = c.req.raw;
    const outcome = await charge(db, caller.id, signal, () =>
      assistant.change(request, { owner: queueOwner(caller), signal }),
    );
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
        throw new ApiError(outcome.isVendorDown ? 'AI_UNAVAILABLE' : 'GENERATION_FAILED');
    }
  });
}

/** Does the work between reserving a credit and using it or giving it back. */
async function charge(
  db: Database,
  userId: string,
  signal: AbortSignal,
  work: () => Promise<ChangeOutcome>,
): Promise<ChangeOutcome> {
  const changeId = randomUUID();
  await db.transaction((tx) => reserveChange(tx, { userId, changeId }));
  let isReturned = false;
  try {
    const outcome = await work();
    signal.throwIfAborted();
    isReturned = outcome.kind === 'changed';
    return outcome;
  } finally {
    await db.transaction((tx) =>
      isReturned ? settleChange(tx, { changeId }) : releaseChange(tx, { changeId }),
    );
  }
}
