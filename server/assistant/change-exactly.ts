/** Changes that need no model: a published set of exact edits, or a plain refusal of the whole request. */
import { applyEdits, parseChangeRequest } from '#latex/edits/index.ts';

export type ExactChange =
  | { kind: 'changed'; latex: string; description: string }
  | { kind: 'declined'; message: string };

/** Either the whole request is understood and done, or nothing is. */
export function changeExactly(latex: string, feedback: string): ExactChange {
  const plan = parseChangeRequest(feedback);
  if (plan.kind === 'refusal') return { kind: 'declined', message: plan.message };
  const applied = applyEdits(latex, plan);
  if (applied.kind === 'refusal') return { kind: 'declined', message: applied.message };
  if (applied.latex === latex) return { kind: 'declined', message: 'The document is already as you asked.' };
  return { kind: 'changed', latex: applied.latex, description: applied.description };
}
