import type { LogMessage, Warning } from '#shared/api/errors.ts';

/** What comes of a change that was asked for in words. */
export type ChangeOutcome =
  /** `description`: what was done, where it is known exactly. */
  | { kind: 'changed'; latex: string; warnings: Warning[]; description?: string }
  /** What was asked is not done: the sentence says why, and what can be done instead. */
  | { kind: 'declined'; message: string }
  /** The model's change does not compile, mended or not: the document stays as it was. */
  | { kind: 'unproven'; messages: LogMessage[] }
  /** `isVendorAway`: no model can be asked just now; else the typesetter takes no work, or the answer was of no use. */
  | { kind: 'unavailable'; message: string; retryAfterSeconds?: number; isVendorAway?: true };
