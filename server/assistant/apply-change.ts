/**
 * Turns a model's answer into the changed document: edits are applied where they fit exactly, whole documents
 * taken as they are.
 */
import { z } from 'zod';
import { isDocument } from '#latex/source/read-commands.ts';
import type { ChangeOutcome } from './change-outcome.ts';

/** The shape requested from the model. */
export const ModelChange = z.object({
  /** For small changes: each `find` is copied from the document and occurs there exactly once. */
  edits: z.array(z.object({ find: z.string(), replace: z.string() })).nullable(),
  /** For changes throughout: the whole new document instead. */
  latex: z.string().nullable(),
  /** Why nothing is changed, if the request does not ask for a change to the document. */
  declined: z.string().nullable(),
});
export type ModelChange = z.infer<typeof ModelChange>;

/**
 * `answer` is the requested shape, or whatever text came instead (JSON of roughly that shape, fenced or bare
 * LaTeX).
 */
export function applyChange(latex: string, answer: ModelChange | string): ChangeOutcome {
  const change = typeof answer === 'string' ? readText(answer) : answer;
  if (!change) return unusable;
  // all fields null: the model gave no answer
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
  if (after === before) return { kind: 'declined', message: 'The document is already as you asked.' };
  return { kind: 'changed', latex: after, warnings: [] };
}

/** Null if a `find` is missing or occurs more than once: a guess could change the wrong place. */
function applyEdits(latex: string, edits: { find: string; replace: string }[]): string | null {
  let result = latex;
  for (const { find, replace } of edits) {
    const at = find === '' ? -1 : result.indexOf(find);
    if (at < 0 || result.indexOf(find, at + 1) >= 0) return null;
    result = result.slice(0, at) + replace + result.slice(at + find.length);
  }
  return result;
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
      // not JSON: perhaps LaTeX
    }
  }
  const latex = fenced ? fenced[2]! : trimmed;
  return isDocument(latex) ? { latex, edits: null, declined: null } : null;
}
