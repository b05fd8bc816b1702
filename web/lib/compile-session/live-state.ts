/** What a compile session tells and can be asked. */
import type { PdfPlace, TextChange } from '#shared/api/compile-session.ts';
import type { Figure } from '#shared/api/conversion.ts';
import type { LogMessage } from '#shared/api/errors.ts';
import type { AllFixes, OfferedFix } from './fixes.ts';

/** How far the newest text is. */
export type LiveStatus =
  /** No document yet. */
  | 'off'
  /** On its way, or being compiled. */
  | 'working'
  /** What is shown is the newest text. */
  | 'shown'
  /** The newest text does not compile. */
  | 'failed'
  /** It cannot be compiled just now; `problem` says why. */
  | 'waiting'
  /** Its compile was stopped; the next change is compiled as ever. */
  | 'stopped';

export interface IncompletePdf {
  bytes: Uint8Array<ArrayBuffer>;
  latex: string;
  pageCount: number;
  /** Its time was over; else TeX continued past errors. */
  isCutShort: boolean;
}

export interface LiveState {
  status: LiveStatus;
  /** The newest good PDF, with the text that it is of. `isFinal`: no later pass changes it. */
  pdf: { bytes: Uint8Array<ArrayBuffer>; latex: string; isFinal: boolean } | null;
  /**
   * What TeX has set of a newer text despite its errors, or until its time was over: to be looked at, never to be handed
   * on. Null when the newest PDF is a good one.
   */
  incomplete: IncompletePdf | null;
  /** Pages that are newer than `pdf`; null when there are none. */
  pages: { bytes: Uint8Array<ArrayBuffer>; firstPage: number; lastPage: number } | null;
  /** What the last compile that ended said, and of which text; null before one ended. */
  report: { latex: string; isGood: boolean; messages: LogMessage[] } | null;
  problem: string | null;
  /** The fix of one of the report's messages, which the server has tried; null where there is nothing to fix. */
  fix: OfferedFix | null;
}

export interface CompileSession {
  getState(): LiveState;
  subscribe(listener: () => void): () => void;
  /** The text is now this one. `changes`: how it came from the one before, where the editor knows. */
  update(latex: string, figures: Figure[], changes?: TextChange[]): void;
  /** Ends the compile that is under way. */
  stop(): void;
  /** Compiles again what was stopped. */
  again(): void;
  /** Where a line is printed; null when that is not known. */
  locate(asked: { line: number; column?: number; nearPage?: number }): Promise<PdfPlace | null>;
  /** Which line printed this point; null when that is not known. */
  findLine(point: { page: number; x: number; y: number }): Promise<number | null>;
  /** Fixes that make the newest text compile, or come as far as rules do. */
  fixAll(): Promise<AllFixes>;
  close(): void;
}

export const initialState: LiveState = {
  status: 'off',
  pdf: null,
  incomplete: null,
  pages: null,
  report: null,
  problem: null,
  fix: null,
};
