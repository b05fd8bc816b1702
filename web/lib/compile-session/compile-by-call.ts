/** Compiling without a session, by POST /compile: where WebSockets are blocked. */
import type { SessionAnswer } from '#shared/api/compile-session.ts';
import type { Figure } from '#shared/api/conversion.ts';
import type { Engine } from '#shared/api/engine.ts';
import type { ErrorObject } from '#shared/api/errors.ts';
import { callBlob } from '../api/api-client.ts';

type Result = Omit<Extract<SessionAnswer, { type: 'result' }>, 'version'>;

export type CallOutcome =
  | { result: Result; pdf: Uint8Array<ArrayBuffer> | null }
  /** Nothing was compiled. */
  | { error: ErrorObject };

/** Null once `signal` is aborted. */
export async function compileByCall(
  job: { latex: string; figures: Figure[]; engine?: Engine },
  signal: AbortSignal,
): Promise<CallOutcome | null> {
  const json = { ...job, return_pdf: true, source: 'user' };
  const answer = await callBlob('POST /compile', 'application/pdf', { json, signal }).catch(() => null);
  if (answer === null) return null;
  const head = { type: 'result' as const, page_count: 0, final: true };
  if (answer.ok) {
    const pdf = new Uint8Array(await answer.data.arrayBuffer());
    return signal.aborted ? null : { result: { ...head, ok: true, messages: [], has_pdf: true }, pdf };
  }
  if (signal.aborted) return null;
  const { error } = answer;
  if (error.code !== 'COMPILATION_FAILED' && error.code !== 'COMPILATION_TIMEOUT') return { error };
  return { result: { ...head, ok: false, messages: error.messages ?? [], has_pdf: false, error }, pdf: null };
}
