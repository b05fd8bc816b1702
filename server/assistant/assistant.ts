/** Holds what every change needs: the model, if one is configured, its vendor's gate, and the typesetter. */
import type { LanguageModel } from 'ai';
import { VendorGate } from '#platform/ai/vendor-gate.ts';
import type { ChangeRequest } from '#shared/api/documents.ts';
import type { Typesetter } from '#typesetting/index.ts';
import { changeDocument } from './change-document.ts';
import type { ChangeOutcome } from './change-outcome.ts';

export interface AssistantDeps {
  /** null: only exact edits are available. */
  model: LanguageModel | null;
  typesetter: Typesetter;
  /** The vendor's gate, if other parts use the same vendor. */
  gate?: VendorGate;
  timeoutMs?: number;
}

export interface Assistant {
  change(request: ChangeRequest, caller: { owner: string; signal: AbortSignal }): Promise<ChangeOutcome>;
}

export function createAssistant(deps: AssistantDeps): Assistant {
  const gate = deps.gate ?? new VendorGate();
  return {
    change: (request, caller) => changeDocument(request, { ...deps, ...caller, gate }),
  };
}
