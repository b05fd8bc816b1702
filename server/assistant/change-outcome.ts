import type { LogMessage, Warning } from '#shared/api/errors.ts';

/** The outcome of a change requested in words. */
export type ChangeOutcome =
  /** `description`: what was done, if known exactly. */
  | { kind: 'changed'; latex: string; warnings: Warning[]; description?: string }
  /** The request is declined: the sentence says why, and what can be done instead. */
  | { kind: 'declined'; message: string }
  /** The model's change does not compile, even after a repair: the document stays as it was. */
  | { kind: 'unproven'; messages: LogMessage[] }
  /**
   * `isVendorDown`: no model can be reached now; otherwise the typesetter accepts no work, or the answer was
   * unusable.
   */
  | { kind: 'unavailable'; message: string; retryAfterSeconds?: number; isVendorDown?: true };
