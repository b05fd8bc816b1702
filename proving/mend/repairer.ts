/** Repair by a model: what the rules could not mend, one fragment at a time. */
import type { LogMessage } from '#shared/api/errors.ts';

export interface RepairRequest {
  /** The LaTeX that does not compile: a paragraph, an item, a display, an environment. */
  fragment: string;
  /** What TeX said of it. */
  messages: LogMessage[];
  /** LaTeX around it, and the preamble: to be understood, not to be repeated in the answer. */
  context: { before: string; after: string; preamble: string };
}

export interface Repairer {
  /**
   * A replacement for the fragment that says the same, or null when there is none. Answers are compiled before they
   * are used, and used only if they keep the fragment's words. Rejects only when `signal` aborts.
   */
  repair(request: RepairRequest, signal: AbortSignal): Promise<string | null>;
}
