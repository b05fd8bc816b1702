/** Repair by a model: fragments that the rules could not repair, one at a time. */
import type { LogMessage } from '#shared/api/errors.ts';

export interface RepairRequest {
  /** The LaTeX that does not compile: a paragraph, an item, a display, an environment. */
  fragment: string;
  /** TeX's messages about it. */
  messages: LogMessage[];
  /** The surrounding LaTeX and the preamble: for understanding, not to be repeated in the answer. */
  context: { before: string; after: string; preamble: string };
}

export interface Repairer {
  /**
   * Returns a replacement with the same content, or null if there is none. Answers are compiled before they are used,
   * and used only if they keep the fragment's words. Rejects only when `signal` aborts.
   */
  repair(request: RepairRequest, signal: AbortSignal): Promise<string | null>;
}
