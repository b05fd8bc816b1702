/** Holds what every change needs: the model, if one is configured, its rate gate, and the typesetter. */
import type { LanguageModel } from 'ai';
import type { ChangeRequest } from '#shared/api/documents.ts';
import { RateGate } from '../platform/ai/ask-model.ts';
import type { Typesetter } from '../typesetting/index.ts';
import { changeDocument } from './change-document.ts';
import type { ChangeOutcome } from './change-outcome.ts';

export interface AssistantDeps {
  /** null: only the exact edits are offered. */
  model: LanguageModel | null;
  typesetter: Typesetter;
  timeoutMs?: number;
}

export interface Assistant {
  change(request: ChangeRequest, caller: { owner: string; signal: AbortSignal }): Promise<ChangeOutcome>;
}

export function createAssistant(deps: AssistantDeps): Assistant {
  const gate = new RateGate();
  return {
    change: (request, caller) => changeDocument(request, { ...deps, ...caller, gate }),
  };
}
