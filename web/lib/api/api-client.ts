/**
 * Calls to the API. Every outcome is a value: what arrived, or an error object of the catalogue. Credentials go
 * along always (the API may live on another origin), and the session's access token where there is one. Nothing here
 * shows anything to anybody, but for one thing: a session that is over asks for a new sign-in.
 */
import type { z } from 'zod';
import { ErrorObject } from '#shared/api/errors.ts';
import { apiUrl } from '../api-base.ts';
import { openAuthDialog } from '../auth-dialog.ts';
import { getAccessToken } from '../session/get-supabase.ts';
import { endSession } from '../session/sign-out.ts';
import { describeError } from './describe-error.ts';

export type ApiResult<T> =
  | { ok: true; data: T }
  /** `body`: the refusal as it was sent, where it says more than its error. */
  | { ok: false; error: ErrorObject; body?: unknown };

/** The connection failed: the server was not reached, or went away before it answered. */
export const networkError: ErrorObject = {
  code: 'UNEXPECTED',
  error: 'Network error. Check your connection and try again.',
  source: 'user',
};

/** The answer is not what the contract says (specification, section 4). */
export const unexpectedFormat: ErrorObject = {
  code: 'UNEXPECTED',
  error: 'Unexpected response format.',
  source: 'server',
};

interface CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  json?: unknown;
  form?: FormData;
  /** Sent as it is, with its type. */
  blob?: Blob;
  signal?: AbortSignal;
  /** Lets the call outlive the page (for goodbyes). */
  keepalive?: boolean;
  /** The call is the same for everybody: no token goes along. */
  isPublic?: boolean;
}

/** The headers that say who calls; without a session a warning is logged and the call goes without (specification, section 6). */
export async function listCallerHeaders(path: string): Promise<Record<string, string>> {
  const token = await getAccessToken();
  if (token === null) console.warn(`No session: ${path} is called without an access token.`);
  return token === null ? {} : { Authorization: `Bearer ${token}` };
}

/** To be told of every refused call: a call that went with a token and is UNAUTHORIZED means that the session is over. */
export async function noticeRefusal(error: ErrorObject, headers: Record<string, string>): Promise<void> {
  if (error.code !== 'UNAUTHORIZED' || !('Authorization' in headers)) return;
  await endSession();
  openAuthDialog('login', { message: describeError(error) });
}

/** Sends one call. Rejects only when `signal` is aborted. */
async function send(path: `/${string}`, options: CallOptions): Promise<ApiResult<Response>> {
  const { json, form, blob, method = json || form ? 'POST' : 'GET', signal, keepalive, isPublic } = options;
  const callerHeaders = isPublic ? {} : await listCallerHeaders(path);
  signal?.throwIfAborted();
  try {
    const response = await fetch(apiUrl(path), {
      method,
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

/** The error object in a refused call's body; a body that is none gives 'Unexpected response format.' */
export function parseError(body: string): ErrorObject {
  const given = parseJson(body);
  if (typeof given !== 'object') return unexpectedFormat;
  // the contract's default: whatever is missing beside it, the server's text is shown
  const parsed = ErrorObject.safeParse({ code: 'UNEXPECTED', source: 'server', ...given });
  return parsed.success ? parsed.data : unexpectedFormat;
}

/** Undefined for what is no JSON: a proxy's page, or a cut answer. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A call that answers JSON of the given shape. */
export async function callJson<T>(
  path: `/${string}`,
  schema: z.ZodType<T>,
  options: CallOptions = {},
): Promise<ApiResult<T>> {
  const sent = await send(path, options);
  if (!sent.ok) return sent;
  try {
    const body = await sent.data.text();
    const parsed = schema.safeParse(parseJson(body));
    // the contract answers an error in the place of what was asked for
    return parsed.success ? { ok: true, data: parsed.data } : { ok: false, error: parseError(body) };
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    return { ok: false, error: unexpectedFormat };
  }
}

/** A call that answers bytes; `mediaType` is what they must begin to be, e.g. `application/pdf` or `image/`; empty takes anything. */
export async function callBlob(
  path: `/${string}`,
  mediaType: string,
  options: CallOptions = {},
): Promise<ApiResult<Blob>> {
  const sent = await send(path, options);
  if (!sent.ok) return sent;
  try {
    const blob = await sent.data.blob();
    const isExpected = mediaType === '' || (blob.size > 0 && blob.type.startsWith(mediaType));
    return isExpected ? { ok: true, data: blob } : { ok: false, error: unexpectedFormat };
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    return { ok: false, error: networkError };
  }
}

/** A call whose answer's body does not matter. */
export async function callNothing(
  path: `/${string}`,
  options: CallOptions = {},
): Promise<ApiResult<undefined>> {
  const sent = await send(path, options);
  return sent.ok ? { ok: true, data: undefined } : sent;
}
