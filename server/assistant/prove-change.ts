/** The proof that every change is held to: it compiles, if need be after one mending, or it is not given to anybody. */
import type { LogMessage, Warning } from '#shared/api/errors.ts';
import type { CompileResult } from '#typesetting/index.ts';

export interface Proof {
  before: string;
  after: string;
  compile: (latex: string) => Promise<CompileResult>;
  /** The changed text without these errors, or null. */
  mend: ((latex: string, messages: LogMessage[]) => Promise<string | null>) | null;
  /**
   * Whether a change of a document that did not compile before may leave it so: it must not have more errors then, or
   * must have fewer of them.
   */
  brokenBefore: 'no-more-errors' | 'fewer-errors';
}

export type ProofOutcome =
  | { kind: 'changed'; latex: string; warnings: Warning[] }
  | { kind: 'unproven'; messages: LogMessage[] }
  /** The typesetter takes no work. */
  | { kind: 'unavailable'; message: string; retryAfterSeconds?: number };

export async function proveChange(proof: Proof): Promise<ProofOutcome> {
  const { after, compile } = proof;
  const result = await compile(after);
  if (result.kind === 'compiled') return { kind: 'changed', latex: after, warnings: [] };
  if (result.kind === 'refused')
    return { kind: 'unavailable', message: result.reason, retryAfterSeconds: result.retryAfterSeconds };
  const messages = errorsOf(result);
  const mended = await proof.mend?.(after, messages);
  if (mended && (await compile(mended)).kind === 'compiled')
    return { kind: 'changed', latex: mended, warnings: [] };
  const before = await compile(proof.before);
  // a text that runs out of time names no errors to be counted
  if (result.kind === 'failed' && before.kind === 'failed') {
    const room = errorsOf(before).length - messages.length;
    if (proof.brokenBefore === 'no-more-errors' ? room >= 0 : room > 0)
      return { kind: 'changed', latex: after, warnings: [stillFails] };
  }
  return { kind: 'unproven', messages };
}

const stillFails: Warning = {
  code: 'STILL_FAILS',
  message: 'The document did not compile before this change and does not after it.',
};

export function errorsOf(result: CompileResult): LogMessage[] {
  return 'messages' in result ? result.messages.filter((message) => message.level === 'error') : [];
}
