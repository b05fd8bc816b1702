/** Calls on a document's conversation with the assistant. */
import { type ChangeDecision, Conversation, type NewTurn, Turn, TurnEvent } from '#shared/api/assistant.ts';
import type { ErrorObject } from '#shared/api/errors.ts';
import {
  type ApiResult,
  callJson,
  callNothing,
  listCallerHeaders,
  networkError,
  noticeRefusal,
  parseError,
} from '#web/lib/api/api-client.ts';
import { createEventStreamParser } from '#web/lib/api/server-sent-events.ts';
import { apiUrl } from '#web/lib/api-routes.ts';

export function getConversation(documentId: string): Promise<ApiResult<Conversation>> {
  return callJson('GET /documents/{id}/conversation', Conversation, { path: { id: documentId } });
}

export function clearConversation(documentId: string): Promise<ApiResult<undefined>> {
  return callNothing('DELETE /documents/{id}/conversation', { path: { id: documentId } });
}

export function cancelTurn(documentId: string, requestId: string): Promise<ApiResult<Turn>> {
  return callJson('POST /documents/{id}/conversation/{request_id}/cancel', Turn, {
    path: { id: documentId, request_id: requestId },
  });
}

export function decideTurn(
  documentId: string,
  requestId: string,
  decision: ChangeDecision,
): Promise<ApiResult<undefined>> {
  const path = { id: documentId, request_id: requestId };
  const options = { path, json: decision, keepalive: true };
  return callNothing('PUT /documents/{id}/conversation/{request_id}/decision', options);
}

export type StreamEnd =
  /** The `done` event has arrived. */
  | { kind: 'done' }
  /** Refused before the stream began. */
  | { kind: 'refused'; error: ErrorObject }
  /** The connection failed: the answer continues, and the same request follows it. */
  | { kind: 'broken-off' };

/**
 * Asks a question, or follows the one with the same request id; `onEvent` receives the answer from its beginning.
 * Never rejects.
 */
export async function streamTurn(
  documentId: string,
  turn: NewTurn,
  onEvent: (event: TurnEvent) => void,
  signal: AbortSignal,
): Promise<StreamEnd> {
  try {
    const route = 'POST /documents/{id}/conversation';
    const callerHeaders = await listCallerHeaders(route);
    const response = await fetch(apiUrl(route, { path: { id: documentId } }), {
      method: 'POST',
      credentials: 'include',
      headers: { ...callerHeaders, 'Content-Type': 'application/json' },
      body: JSON.stringify(turn),
      signal,
    });
    if (!response.ok || !response.body) {
      const error = parseError(await response.text());
      void noticeRefusal(error, callerHeaders);
      return { kind: 'refused', error };
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const parse = createEventStreamParser();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { kind: 'broken-off' };
      for (const { data } of parse(value)) {
        const event = TurnEvent.safeParse(JSON.parse(data));
        if (!event.success) continue;
        onEvent(event.data);
        if (event.data.type === 'done') return { kind: 'done' };
      }
    }
  } catch {
    return signal.aborted ? { kind: 'refused', error: networkError } : { kind: 'broken-off' };
  }
}
