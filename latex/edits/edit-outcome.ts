/** How one edit ends: the document with a sentence about it, or a refusal. */
import type { Refusal } from './exact-edit.ts';

export interface Done {
  latex: string;
  description: string;
}

/** @param message one sentence that says why */
export function refuse(message: string): Refusal {
  return { kind: 'refusal', message: `${message} Nothing was changed.` };
}

export const noDocument = refuse('The text has no \\documentclass and \\begin{document} to work on.');

/** A text that may be null where the document has no frame to put things in. */
export function withClass(latex: string | null, description: string): Done | Refusal {
  return latex === null ? noDocument : { latex, description };
}
