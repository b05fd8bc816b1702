/**
 * Calls to the API. Every outcome is a value: the response, or an error object of the catalogue. Each call carries
 * credentials (the API may be on another origin), and the session's access token if there is one. Nothing here
 * touches the screen, with one exception: an expired session asks for a new sign-in.
 */
import type { z } from 'zod';
import { ErrorObject } from '#shared/api/errors.ts';
import { apiUrl, type Given, methodOf, type Route } from '../api-routes.ts';
import { openAuthDialog } from '../auth-dialog.ts';
import { getAccessToken } from '../session/get-client.ts';
import { endSession } from '../session/sign-out.ts';
import { describeError } from './describe-error.ts';

export type ApiResult<T> =
  | { ok: true; data: T }
  /** `body`: the response as sent, if it contains more than the error. */
  | { ok: false; error: ErrorObject; body?: unknown };

/** The connection failed: the server was not reached, or the connection broke before the response. */
export const networkError: ErrorObject = {
  code: 'UNEXPECTED',
  error: 'Network error. Check your connection and try again.',
  source: 'user',
};

/** The response does not match the contract (specification, section 4). */
export const unexpectedFormat: ErrorObject = {
  code: 'UNEXPECTED',
  error: 'Unexpected response format.',
  source: 'server',
};

interface CallOptions {
  /** Sent as JSON. */
  json?: unknown;
  form?: FormData;
  /** Sent unchanged, with its media type. */
  blob?: Blob;
  signal?: AbortSignal;
  /** Lets the call outlive the page. */
  keepalive?: boolean;
  /** The response is the same for everybody: no token is sent. */
  isPublic?: boolean;
}

/**
 * The headers that identify the caller. Without a session, logs a warning and sends no token (specification, section
 * 6).
 */
export async function listCallerHeaders(route: Route): Promise<Record<string, string>> {
  const token = await getAccessToken();
  if (token === null) console.warn(`No session: ${route} is called without an access token.`);
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

/** Call this for every refused call: if one that carried a token is UNAUTHORIZED, the session is over. */
export async function noticeRefusal(error: ErrorObject, headers: Record<string, string>): Promise<void> {
  if (error.code !== 'UNAUTHORIZED' || !('Authorization' in headers)) return;
  await endSession();
  openAuthDialog('login', { message: describeError(error) });
}

/** Sends one call. Rejects only when `signal` is aborted. */
async function send<R extends Route>(
  route: R,
  ...given: Given<R, CallOptions>
): Promise<ApiResult<Response>> {
  const { json, form, blob, signal, keepalive, isPublic } = given[0] ?? {};
  const callerHeaders = isPublic ? {} : await listCallerHeaders(route);
  signal?.throwIfAborted();
  try {
    const response = await fetch(apiUrl(route, ...given), {
      method: methodOf(route),
      credentials: 'include',
      body: json === undefined ? (form ?? blob) : JSON.stringify(json),
      headers: { ...callerHeaders, ...(json === undefined ? {} : { 'Content-Type': 'application/json' }) },
      signal,
      keepalive,
    });
    if (response.ok) return { ok: true, data: response };
    const text = await response.text();
    const error = parseError(text);
    void noticeRefusal(error, callerHeaders);
    return { ok: false, error, body: parseJson(text) };
  } catch (cause) {
    if (signal?.aborted) throw cause;
    return { ok: false, error: networkError };
  }
}

/** The error object in the body of a refused call, or 'Unexpected response format.' */
export function parseError(body: string): ErrorObject {
  const given = parseJson(body);
  if (typeof given !== 'object') return unexpectedFormat;
  // the contract's default: whatever else is missing, the server's text is shown
  const parsed = ErrorObject.safeParse({ code: 'UNEXPECTED', source: 'server', ...given });
  return parsed.success ? parsed.data : unexpectedFormat;
}

/** Returns undefined if the text is not JSON: a proxy's page, or a truncated response. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A call that returns JSON of the given shape. */
export async function callJson<T, R extends Route>(
  route: R,
  schema: z.ZodType<T>,
  ...given: Given<R, CallOptions>
): Promise<ApiResult<T>> {
  const sent = await send(route, ...given);
  if (!sent.ok) return sent;
  try {
    const body = await sent.data.text();
    const parsed = schema.safeParse(parseJson(body));
    // the contract sends an error in place of the data
    return parsed.success ? { ok: true, data: parsed.data } : { ok: false, error: parseError(body) };
  } catch (cause) {
    if (given[0]?.signal?.aborted) throw cause;
    return { ok: false, error: unexpectedFormat };
  }
}

/**
 * A call that returns bytes. The response's media type must begin with `mediaType`, e.g. `application/pdf` or
 * `image/`; empty accepts any.
 */
export async function callBlob<R extends Route>(
  route: R,
  mediaType: string,
  ...given: Given<R, CallOptions>
): Promise<ApiResult<Blob>> {
  const sent = await send(route, ...given);
  if (!sent.ok) return sent;
  try {
    const blob = await sent.data.blob();
    const isExpected = mediaType === '' || (blob.size > 0 && blob.type.startsWith(mediaType));
    return isExpected ? { ok: true, data: blob } : { ok: false, error: unexpectedFormat };
  } catch (cause) {
    if (given[0]?.signal?.aborted) throw cause;
    return { ok: false, error: networkError };
  }
}

/** A call whose response body is ignored. */
export async function callNothing<R extends Route>(
  route: R,
  ...given: Given<R, CallOptions>
): Promise<ApiResult<undefined>> {
  const sent = await send(route, ...given);
  return sent.ok ? { ok: true, data: undefined } : sent;
}
