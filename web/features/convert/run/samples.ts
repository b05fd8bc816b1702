/**
 * Sample pages that anybody can try without an account. They were converted in advance by the reader that ships
 * (`npm run samples:write`), and are shown like any other result; the server knows nothing of them.
 */
import { Conversion } from '#shared/api/conversion.ts';
import { type ApiResult, networkError, unexpectedFormat } from '#web/lib/api/api-client.ts';

export interface Sample {
  /** In place of a conversion's id; also the name of its files in web/public/samples. */
  id: string;
  documentName: string;
}

export const handwrittenSample: Sample = { id: 'sample-notes', documentName: 'Exponential decay' };
export const printedSample: Sample = { id: 'sample-print', documentName: 'Probability' };

export function isSample(conversionId: string | null): boolean {
  return conversionId === handwrittenSample.id || conversionId === printedSample.id;
}

export async function fetchSample(id: string, signal?: AbortSignal): Promise<ApiResult<Conversion>> {
  const fetched = await fetchFile(`${id}.json`, signal);
  if (!fetched.ok) return fetched;
  const read = Conversion.safeParse(await fetched.data.json().catch(() => null));
  return read.success ? { ok: true, data: read.data } : { ok: false, error: unexpectedFormat };
}

/** The sample's page. */
export async function fetchSamplePicture(id: string, signal?: AbortSignal): Promise<ApiResult<Blob>> {
  const fetched = await fetchFile(`${id}.webp`, signal);
  return fetched.ok ? { ok: true, data: await fetched.data.blob() } : fetched;
}

async function fetchFile(name: string, signal?: AbortSignal): Promise<ApiResult<Response>> {
  const response = await fetch(`/samples/${name}`, { signal }).catch(() => null);
  return response?.ok ? { ok: true, data: response } : { ok: false, error: networkError };
}
