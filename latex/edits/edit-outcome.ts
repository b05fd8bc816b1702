/** The outcome of one edit: the document with a sentence about it, or a refusal. */
import type { Refusal } from './exact-edit.ts';

export interface Done {
  latex: string;
  description: string;
}

/** @param message one sentence that gives the reason */
export function refuse(message: string): Refusal {
  return { kind: 'refusal', message: `${message} Nothing was changed.` };
}

export const noDocument = refuse('The text has no \\documentclass and \\begin{document} to work on.');

/** Turns a changed text into an outcome; null, for a document without a class, becomes a refusal. */
export function withClass(latex: string | null, description: string): Done | Refusal {
  return latex === null ? noDocument : { latex, description };
}
