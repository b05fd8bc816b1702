/** A document's conversation with the assistant. Owner only. */

import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { notFound, problem, refusals as userRefusals } from '#server/http/answer/describe-answers.ts';
import { ChangeDecision, Conversation, NewTurn, Turn, TurnEvent } from '#shared/api/assistant.ts';
import type { Database } from '../../database/database.ts';
import { createRoute } from '../../http/access.ts';
import { type AppEnv, getUser, queueOwner } from '../../http/types.ts';
import { presentTurn } from './present-turn.ts';
import type { TurnRunner } from './run-turns.ts';
import { decideTurn } from './turn-store.ts';

const refusals = { ...userRefusals, 404: notFound };
const tags = ['Assistant'];
const base = '/api/v1/documents/{id}/conversation';
const DocumentParams = z.object({ id: z.string() });
const TurnParams = DocumentParams.extend({ request_id: z.string() });
const privateHeaders = { 'Cache-Control': 'private, no-store' };
/** `no-transform` keeps proxies from compressing a stream, and so buffering it; X-Accel-Buffering is nginx's own. */
const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};
/**
 * How long a stream may be silent before it sends a heartbeat, in ms. Proxies commonly close after 60 s of
 * silence.
 */
const heartbeatMs = 15_000;

const routes = {
  list: createRoute('user', {
    method: 'get',
    path: base,
    operationId: 'getConversationWithAssistant',
    tags,
    summary: 'Questions and answers, oldest first',
    request: { params: DocumentParams },
    responses: {
      200: {
        description: 'Includes proposed changes that are still undecided',
        content: { 'application/json': { schema: Conversation } },
      },
      ...refusals,
    },
  }),
  ask: createRoute('user', {
    method: 'post',
    path: base,
    operationId: 'askAssistant',
    tags,
    summary: 'Ask about a document, or request a change',
    description:
      'Answers by Server-Sent Events. A change has been compiled, but is saved only when the client saves it. A change costs one AI conversation; answers without a change are free. The answer continues if the client disconnects; calling again with the same `request_id` follows it and is never charged twice.',
    request: {
      params: DocumentParams,
      body: { required: true, content: { 'application/json': { schema: NewTurn } } },
    },
    responses: {
      200: {
        description: 'One AssistantTurnEvent per event; the last is `done`',
        content: { 'text/event-stream': { schema: TurnEvent } },
      },
      400: problem('INVALID_INPUT.'),
      402: problem('INSUFFICIENT_CREDITS: a fix was requested, and no AI conversation is left.'),
      429: problem(
        'TOO_MANY_REQUESTS: an answer is already in progress, or the day’s free answers are used up.',
      ),
      503: problem('BUSY: the server is restarting.'),
      ...refusals,
    },
  }),
  clear: createRoute('user', {
    method: 'delete',
    path: base,
    operationId: 'clearConversationWithAssistant',
    tags,
    summary: 'Remove the conversation',
    description: 'The document stays as it is. An answer in progress is stopped.',
    request: { params: DocumentParams },
    responses: { 204: { description: 'Deleted.' }, ...refusals },
  }),
  cancel: createRoute('user', {
    method: 'post',
    path: `${base}/{request_id}/cancel`,
    operationId: 'cancelAssistant',
    tags,
    summary: 'Stop an answer',
    description: 'It is not charged. An answer that has ended stays as it is.',
    request: { params: TurnParams },
    responses: {
      200: { description: 'Its outcome', content: { 'application/json': { schema: Turn } } },
      ...refusals,
    },
  }),
  decide: createRoute('user', {
    method: 'put',
    path: `${base}/{request_id}/decision`,
    operationId: 'decideOnChange',
    tags,
    summary: 'Record how much of a change was accepted',
    request: {
      params: TurnParams,
      body: { required: true, content: { 'application/json': { schema: ChangeDecision } } },
    },
    responses: {
      204: { description: 'Recorded; the change is not offered again.' },
      400: problem('INVALID_INPUT.'),
      ...refusals,
    },
  }),
};

export interface ConversationRouteDeps {
  db: Database;
  turns: TurnRunner;
}

export function registerConversationRoutes(
  app: OpenAPIHono<AppEnv>,
  { db, turns }: ConversationRouteDeps,
): void {
  app.openapi(routes.list, async (c) =>
    c.json(await turns.list(getUser(c).id, c.req.valid('param').id), 200, privateHeaders),
  );

  app.openapi(routes.ask, async (c) => {
    const user = getUser(c);
    const asker = { id: user.id, owner: queueOwner(user) };
    const follow = await turns.ask(asker, c.req.valid('param').id, c.req.valid('json'));
    return c.body(streamEvents(follow), 200, streamHeaders);
  });

  app.openapi(routes.clear, async (c) => {
    await turns.clear(getUser(c).id, c.req.valid('param').id);
    return c.body(null, 204);
  });

  app.openapi(routes.cancel, async (c) => {
    const { id, request_id } = c.req.valid('param');
    return c.json(presentTurn(await turns.cancel(getUser(c).id, id, request_id)), 200, privateHeaders);
  });

  app.openapi(routes.decide, async (c) => {
    const { id, request_id } = c.req.valid('param');
    await decideTurn(db, getUser(c).id, id, request_id, c.req.valid('json'));
    return c.body(null, 204);
  });
}

/** Events as a `text/event-stream` body; a client that leaves ends the stream, not the answer. */
function streamEvents(
  follow: (signal: AbortSignal) => AsyncGenerator<TurnEvent>,
): ReadableStream<Uint8Array> {
  const disconnected = new AbortController();
  const events = follow(disconnected.signal);
  const encoder = new TextEncoder();
  let heartbeat: NodeJS.Timeout | undefined;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // sends the headers at once
        controller.enqueue(encoder.encode(':\n\n'));
        heartbeat = setInterval(() => controller.enqueue(encoder.encode(':\n\n')), heartbeatMs);
      },
      async pull(controller) {
        try {
          const { done, value } = await events.next();
          if (!done)
            return controller.enqueue(
              encoder.encode(`event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`),
            );
          clearInterval(heartbeat);
          controller.close();
        } catch (error) {
          clearInterval(heartbeat);
          controller.error(error);
        }
      },
      async cancel() {
        clearInterval(heartbeat);
        disconnected.abort();
        await events.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
}
