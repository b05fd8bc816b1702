/** The account page's calls to our own API: sessions, export, deletion (shared/api/account.ts). */
import { AccountSessions } from '#shared/api/account.ts';
import { type ApiResult, callJson, callNothing, networkError, parseError } from '#web/lib/api/api-client.ts';
import { type DownloadOptions, downloadFile, type NamedFile } from '#web/lib/api/download-file.ts';
import { apiUrl } from '#web/lib/api-routes.ts';

export function listSessions(): Promise<ApiResult<AccountSessions>> {
  return callJson('GET /account/sessions', AccountSessions);
}

/** Ends a session; one that no longer exists counts as ended. */
export async function endSessionOf(id: string): Promise<ApiResult<undefined>> {
  const ended = await callNothing('DELETE /account/sessions/{id}', { path: { id } });
  return !ended.ok && ended.error.code === 'NOT_FOUND' ? { ok: true, data: undefined } : ended;
}

/** Downloads all of the account's data as a zip. Rejects only when `signal` is aborted. */
export function downloadExport(options: DownloadOptions): Promise<ApiResult<NamedFile>> {
  return downloadFile('GET /account/export', options);
}

/**
 * Deletes the account. @param accessToken of a fresh session (`freshSessionMs`) @param confirm the account's address
 * as typed by the user
 */
export async function deleteAccount(accessToken: string, confirm: string): Promise<ApiResult<undefined>> {
  try {
    const response = await fetch(apiUrl('DELETE /account'), {
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
