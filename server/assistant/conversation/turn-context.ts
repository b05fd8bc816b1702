/** What answering a question needs, and its outcomes. */
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
  /** The person's own preamble and notation, as LaTeX with meanings; empty if there is none. */
  notation: string;
  timeoutMs?: number;
  emit: (event: Extract<TurnEvent, { type: 'stage' | 'thinking' | 'text' }>) => void;
  /** Ensures that a credit is reserved. @throws ApiError INSUFFICIENT_CREDITS */
  reserve: () => Promise<void>;
}

export type TurnOutcome =
  | { kind: 'answered' }
  | { kind: 'changed'; latex: string; description: string; warnings: Warning[] }
  /** `isOurs`: not caused by the person in any way. */
  | { kind: 'failed'; error: ErrorObject; isOurs: boolean };

/** A change to be proven: the changed text, and how to repair it. */
interface Draft {
  text: ScopedText;
  description: string;
  repair: ((latex: string, messages: LogMessage[]) => Promise<string | null>) | null;
}

export type DraftOutcome =
  /** Already answered in words. */
  | { kind: 'answered' }
  | { kind: 'draft'; draft: Draft }
  | { kind: 'failed'; error: ErrorObject; isOurs: boolean };
