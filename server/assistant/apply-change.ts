/** From a model's answer to the changed document: edits applied where they fit exactly, whole documents taken as they are. */
import { z } from 'zod';
import type { ChangeOutcome } from './change-outcome.ts';

/** What a model is asked for. */
export const ModelChange = z.object({
  /** Small changes: each `find` is copied from the document and occurs there exactly once. */
  edits: z.array(z.object({ find: z.string(), replace: z.string() })).nullable(),
  /** Changes all over: the whole new document instead. */
  latex: z.string().nullable(),
  /** Why nothing is changed, for a request that is no change to the document. */
  declined: z.string().nullable(),
});
export type ModelChange = z.infer<typeof ModelChange>;

/** `answer` is the asked shape, or whatever text came instead (JSON of about that shape, fenced or bare LaTeX). */
export function applyChange(latex: string, answer: ModelChange | string): ChangeOutcome {
  const change = typeof answer === 'string' ? readText(answer) : answer;
  if (!change) return unusable;
  // with a null for every field the model has said nothing at all
  if (change.latex?.trim()) {
    if (isDocument(latex) && !isDocument(change.latex)) return unusable;
    return settle(latex, change.latex);
  }
  if (change.edits?.length) {
    const edited = applyEdits(latex, change.edits);
    return edited === null ? unusable : settle(latex, edited);
  }
  if (change.declined) return { kind: 'declined', message: change.declined };
  return unusable;
}

const unusable: ChangeOutcome = { kind: 'unavailable', message: "the model's answer could not be used" };

function settle(before: string, after: string): ChangeOutcome {
  if (after === before) return { kind: 'declined', message: 'The document already is as you ask.' };
  return { kind: 'changed', latex: after, warnings: [] };
}

/** null when a place is not found or not the only one of its kind: a guess could change the wrong one. */
function applyEdits(latex: string, edits: { find: string; replace: string }[]): string | null {
  let result = latex;
  for (const { find, replace } of edits) {
    const at = find === '' ? -1 : result.indexOf(find);
    if (at < 0 || result.indexOf(find, at + 1) >= 0) return null;
    result = result.slice(0, at) + replace + result.slice(at + find.length);
  }
  return result;
}

function isDocument(latex: string): boolean {
  return latex.includes('\\begin{document}') && latex.includes('\\end{document}');
}

function readText(text: string): ModelChange | null {
  const trimmed = text.trim();
  const fenced = /```(\w*)\s*\n([\s\S]*?)\n?```/.exec(trimmed);
  for (const candidate of [trimmed, fenced?.[2] ?? '']) {
    try {
      const value = JSON.parse(candidate) as Partial<Record<keyof ModelChange, unknown>>;
      if (typeof value.latex === 'string') return { latex: value.latex, edits: null, declined: null };
      if (Array.isArray(value.edits)) {
        const edits = value.edits.filter(
          (edit) => typeof edit?.find === 'string' && typeof edit?.replace === 'string',
        );
        if (edits.length === value.edits.length) return { latex: null, edits, declined: null };
      }
      return null;
    } catch {
      // not JSON: LaTeX, perhaps
    }
  }
  const latex = fenced ? fenced[2]! : trimmed;
  return isDocument(latex) ? { latex, edits: null, declined: null } : null;
}
