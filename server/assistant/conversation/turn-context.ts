/** What a question is answered with, and what comes of it. */
import type { LanguageModel } from 'ai';
import type { VendorGate } from '#platform/ai/vendor-gate.ts';
import type { TurnEvent } from '#shared/api/assistant.ts';
import type { Engine } from '#shared/api/engine.ts';
import type { ErrorObject, LogMessage, Warning } from '#shared/api/errors.ts';
import type { Asset, Typesetter } from '#typesetting/index.ts';
import type { EarlierTurn } from './model-messages.ts';
import type { ScopedText } from './scoped-text.ts';

export interface TurnContext {
  /** null: exact edits, and fixes and explanations by rule. */
  model: LanguageModel | null;
  gate: VendorGate;
  typesetter: Pick<Typesetter, 'compile'>;
  owner: string;
  signal: AbortSignal;
  assets: Asset[];
  engine: Engine | null;
  /** Oldest first. */
  earlier: EarlierTurn[];
  /** The person's own preamble and notation, as LaTeX with their meanings; empty where there is none. */
  notation: string;
  timeoutMs?: number;
  emit: (event: Extract<TurnEvent, { type: 'stage' | 'thinking' | 'text' }>) => void;
  /** Sees to it that a credit is reserved. @throws ApiError INSUFFICIENT_CREDITS */
  reserve: () => Promise<void>;
}

export type TurnOutcome =
  | { kind: 'answered' }
  | { kind: 'changed'; latex: string; description: string; warnings: Warning[] }
  /** `isOurs`: nothing of it is the person's doing. */
  | { kind: 'failed'; error: ErrorObject; isOurs: boolean };

/** What is to be proven: a text with the change made, and how to mend it. */
export interface Draft {
  text: ScopedText;
  description: string;
  mend: ((latex: string, messages: LogMessage[]) => Promise<string | null>) | null;
}

export type DraftOutcome =
  /** Told in words already. */
  | { kind: 'answered' }
  | { kind: 'draft'; draft: Draft }
  | { kind: 'failed'; error: ErrorObject; isOurs: boolean };
