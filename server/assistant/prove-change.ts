/**
 * The proof that every change must pass: it compiles, if necessary after one repair, or at least leaves a
 * document that failed before no worse (`brokenBefore`).
 */
import type { LogMessage, Warning } from '#shared/api/errors.ts';
import type { CompileResult } from '#typesetting/index.ts';

export interface Proof {
  before: string;
  after: string;
  compile: (latex: string) => Promise<CompileResult>;
  /** Returns the changed text without these errors, or null. */
  repair: ((latex: string, messages: LogMessage[]) => Promise<string | null>) | null;
  /**
   * For a document that did not compile before and does not after: the change must not add errors, or must
   * reduce their number.
   */
  brokenBefore: 'no-more-errors' | 'fewer-errors';
}

export type ProofOutcome =
  | { kind: 'changed'; latex: string; warnings: Warning[] }
  | { kind: 'unproven'; messages: LogMessage[] }
  /** The typesetter accepts no work. */
  | { kind: 'unavailable'; message: string; retryAfterSeconds?: number };

export async function proveChange(proof: Proof): Promise<ProofOutcome> {
  const { after, compile } = proof;
  const result = await compile(after);
  if (result.kind === 'compiled') return { kind: 'changed', latex: after, warnings: [] };
  if (result.kind === 'refused')
    return { kind: 'unavailable', message: result.reason, retryAfterSeconds: result.retryAfterSeconds };
  const messages = errorsOf(result);
  const repaired = await proof.repair?.(after, messages);
  if (repaired && (await compile(repaired)).kind === 'compiled')
    return { kind: 'changed', latex: repaired, warnings: [] };
  const before = await compile(proof.before);
  // a text that times out has no list of errors to count
  if (result.kind === 'failed' && before.kind === 'failed') {
    const room = errorsOf(before).length - messages.length;
    if (proof.brokenBefore === 'no-more-errors' ? room >= 0 : room > 0)
      return { kind: 'changed', latex: after, warnings: [stillFails] };
  }
  return { kind: 'unproven', messages };
}

const stillFails: Warning = {
  code: 'STILL_FAILS',
  message: 'The document did not compile before this change and still does not.',
};

export function errorsOf(result: CompileResult): LogMessage[] {
  return 'messages' in result ? result.messages.filter((message) => message.level === 'error') : [];
}
