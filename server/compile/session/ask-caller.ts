/**
 * Identifies who opens a session, by the product's usual rules (access.ts): sends a request for the session's
 * route through the app with the handshake's headers. A browser cannot send an Authorization header with a
 * handshake, and addresses are logged in many places, so a token comes in the first message and is checked the
 * same way.
 */
import type { IncomingMessage } from 'node:http';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { ApiError, invalidInput } from '#platform/errors.ts';
import { compileSessionPath, compileSessionProtocol } from '#shared/api/compile-session.ts';
import { ErrorObject } from '#shared/api/errors.ts';
import { createRoute } from '../../http/access.ts';
import type { AppEnv, Caller } from '../../http/types.ts';

export type AskedCaller =
  /** `cookies`: to be set with the handshake in a new visitor's browser. */
  { ok: true; caller: Caller; cookies: string[] } | { ok: false; status: number; error: ApiError };

/** Identifies the caller of one handshake. @param token replaces the handshake's own Authorization header */
export type AskCaller = (incoming: IncomingMessage, token?: string) => Promise<AskedCaller>;

/** Requests that represent a handshake; the route's handler reports the caller here. */
const handshakes = new WeakMap<Request, (caller: Caller) => void>();

const failure = (description: string) => ({
  description,
  content: { 'application/json': { schema: ErrorObject } },
});

const sessionRoute = createRoute('visitor-without-database', {
  method: 'get',
  path: compileSessionPath,
  summary: 'Compile while typing',
  description: `A WebSocket, subprotocol \`${compileSessionProtocol}\`. Messages must be JSON. The first is \`{type: "open", version, latex, figures, engine?, token?}\` with the access token of whoever is signed in; then come \`edit {version, base, changes: [{from, to, insert}], file?}\` with UTF-16 offsets on the base version (of the text, or of the figure \`file\`), \`replace {version, latex}\`, \`figures {version, figures}\`, \`locate {version, line, column?, file?}\`, \`source {version, page, x, y}\`, \`token {token}\` and \`close\`. The server tells \`accepted\`, \`compiling\`, \`pages\` and \`result\` (a PDF follows as the next binary message), \`superseded\`, \`resync\` (send the whole text), \`location\`, \`source_position\`, and \`problem\` with an error of the catalogue. The newest edit cancels the compile of an older one; a failed one brings no PDF.`,
  responses: {
    101: { description: 'The session begins' },
    400: failure('INVALID_INPUT: this is not a WebSocket handshake'),
    401: failure('UNAUTHORIZED'),
    403: failure('USER_BANNED'),
  },
});

/** The route that declares who may open a session; a plain GET is answered with an explanation. */
export function registerCompileSessionRoute(app: OpenAPIHono<AppEnv>): void {
  app.openapi(sessionRoute, (c) => {
    const leave = handshakes.get(c.req.raw);
    if (!leave)
      throw invalidInput(`A compile session is a WebSocket with the subprotocol ${compileSessionProtocol}.`);
    leave(c.get('caller'));
    return c.body(null, 204) as never;
  });
}

/** @param fetch the app with the route above */
export function createAskCaller(fetch: OpenAPIHono<AppEnv>['fetch']): AskCaller {
  return async (incoming, token) => {
    const headers = new Headers();
    const { cookie } = incoming.headers;
    const authorization = token === undefined ? incoming.headers.authorization : `Bearer ${token}`;
    if (cookie !== undefined) headers.set('Cookie', cookie);
    if (authorization !== undefined) headers.set('Authorization', authorization);
    const request = new Request(`http://localhost${compileSessionPath}`, { headers });
    let caller: Caller | null = null;
    handshakes.set(request, (found) => {
      caller = found;
    });
    const answer = await fetch(request, { incoming });
    if (caller !== null) return { ok: true, caller, cookies: answer.headers.getSetCookie() };
    const body = ErrorObject.safeParse(await answer.json().catch(() => null));
    const error = body.success
      ? new ApiError(body.data.code, { message: body.data.error, source: body.data.source })
      : new ApiError('UNEXPECTED');
    return { ok: false, status: answer.status, error };
  };
}
