/** Reading what is drawn on a pad. */
import { type InkRequest, InkResponse } from '#shared/api/ink.ts';
import { callJson } from './api-client.ts';
import { describeError } from './describe-error.ts';

/** The candidates, or a sentence that says why there are none. Rejects only when `signal` is aborted. */
export async function readInk(
  ink: InkRequest,
  signal: AbortSignal,
): Promise<{ candidates: InkResponse['candidates'] } | { problem: string }> {
  const read = await callJson('POST /ink', InkResponse, { json: ink, signal });
  return read.ok ? read.data : { problem: describeError(read.error) };
}
