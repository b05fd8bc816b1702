/** The account page's calls of our own API: sessions, export, deletion (shared/api/account.ts). */
import { AccountSessions } from '#shared/api/account.ts';
import { apiUrl } from '#web/lib/api-base.ts';
import {
  type ApiResult,
  callJson,
  callNothing,
  listCallerHeaders,
  networkError,
  noticeRefusal,
  parseError,
} from '#web/lib/api-client.ts';

export function listSessions(): Promise<ApiResult<AccountSessions>> {
  return callJson('/account/sessions', AccountSessions);
}

/** One that is gone already counts as ended. */
export async function endSessionOf(id: string): Promise<ApiResult<undefined>> {
  const ended = await callNothing(`/account/sessions/${id}`, { method: 'DELETE' });
  return !ended.ok && ended.error.code === 'NOT_FOUND' ? { ok: true, data: undefined } : ended;
}

/**
 * Everything of the account as a zip. Its size is not known before it is written: `onProgress` hears the bytes that
 * have arrived. Rejects only when `signal` is aborted.
 */
export async function downloadExport(options: {
  onProgress: (bytes: number) => void;
  signal: AbortSignal;
}): Promise<ApiResult<Blob>> {
  const path = '/account/export';
  const headers = await listCallerHeaders(path);
  options.signal.throwIfAborted();
  try {
    const response = await fetch(apiUrl(path), { headers, credentials: 'include', signal: options.signal });
    if (!response.ok || !response.body) {
      const error = parseError(await response.text());
      void noticeRefusal(error, headers);
      return { ok: false, error };
    }
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let bytes = 0;
    const reader = response.body.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      pieces.push(next.value);
      bytes += next.value.byteLength;
      options.onProgress(bytes);
    }
    return { ok: true, data: new Blob(pieces, { type: 'application/zip' }) };
  } catch (cause) {
    if (options.signal.aborted) throw cause;
    return { ok: false, error: networkError };
  }
}

/**
 * Deletes the account. @param accessToken of a session that is fresh (`freshSessionMs`) @param confirm the account's
 * address as the person typed it
 */
export async function deleteAccount(accessToken: string, confirm: string): Promise<ApiResult<undefined>> {
  try {
    const response = await fetch(apiUrl('/account'), {
      method: 'DELETE',
      credentials: 'include',
      headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ confirm }),
    });
    return response.ok
      ? { ok: true, data: undefined }
      : { ok: false, error: parseError(await response.text()) };
  } catch {
    return { ok: false, error: networkError };
  }
}
