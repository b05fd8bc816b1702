/** Downloads of files that the API generates while sending: reports progress, and aborting stops the generation. */

import { apiUrl, type Given, type Route } from '../api-routes.ts';
import { type ApiResult, listCallerHeaders, networkError, noticeRefusal, parseError } from './api-client.ts';

export interface NamedFile {
  /** As given by the server. */
  name: string;
  blob: Blob;
}

export interface DownloadOptions {
  /** Receives the number of bytes so far; the total is unknown until the file is complete. */
  onProgress?: (bytes: number) => void;
  signal?: AbortSignal;
}

/** Rejects only when `signal` is aborted. */
export async function downloadFile<R extends Route & `GET ${string}`>(
  route: R,
  ...given: Given<R, DownloadOptions>
): Promise<ApiResult<NamedFile>> {
  const { onProgress, signal } = given[0] ?? {};
  const headers = await listCallerHeaders(route);
  signal?.throwIfAborted();
  try {
    const response = await fetch(apiUrl(route, ...given), { headers, credentials: 'include', signal });
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
      onProgress?.(bytes);
    }
    const type = response.headers.get('Content-Type') ?? 'application/octet-stream';
    const name = readFileName(response.headers.get('Content-Disposition')) ?? 'document';
    return { ok: true, data: { name, blob: new Blob(pieces, { type }) } };
  } catch (cause) {
    if (signal?.aborted) throw cause;
    return { ok: false, error: networkError };
  }
}

/** The name in a `Content-Disposition` header (RFC 6266); `filename*` is preferred to `filename`. */
export function readFileName(header: string | null): string | null {
  const encoded = /filename\*=UTF-8''([^;\s]+)/i.exec(header ?? '')?.[1];
  if (encoded !== undefined)
    try {
      return decodeURIComponent(encoded);
    } catch {
      // then use the plain one
    }
  return /filename="([^"]*)"/i.exec(header ?? '')?.[1] ?? null;
}

export function describeBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
