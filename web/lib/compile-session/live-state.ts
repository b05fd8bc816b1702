/** What a compile session reports, and the requests it takes. */

import type { PdfPlace, TextChange } from '#shared/api/compile-session.ts';
import type { Figure } from '#shared/api/conversion.ts';
import type { Engine } from '#shared/api/engine.ts';
import type { LogMessage } from '#shared/api/errors.ts';
import type { AllFixes, OfferedFix } from './fixes.ts';

/** The state of the newest text. */
type LiveStatus =
  /** No document yet. */
  | 'off'
  /** Being sent or compiled. */
  | 'working'
  /** The newest text is shown. */
  | 'shown'
  /** The newest text does not compile. */
  | 'failed'
  /** It cannot be compiled just now; `problem` says why. */
  | 'waiting'
  /** Its compile was stopped; the next edit is compiled as usual. */
  | 'stopped';

interface IncompletePdf {
  bytes: Uint8Array<ArrayBuffer>;
  latex: string;
  pageCount: number;
  /** Compiling timed out; otherwise TeX continued past errors. */
  isCutShort: boolean;
}

export interface LiveState {
  status: LiveStatus;
  /** The newest good PDF, and the text it was made from. `isFinal`: no later pass will change it. */
  pdf: { bytes: Uint8Array<ArrayBuffer>; latex: string; isFinal: boolean } | null;
  /**
   * What TeX produced for a newer text despite errors, or until it timed out: to be viewed, never to be
   * exported. Null if the newest PDF is a good one.
   */
  incomplete: IncompletePdf | null;
  /** Pages newer than `pdf`, or null. */
  pages: { bytes: Uint8Array<ArrayBuffer>; firstPage: number; lastPage: number } | null;
  /** The messages of the last finished compile, and its text; null before one has finished. */
  report: { latex: string; isGood: boolean; messages: LogMessage[] } | null;
  problem: string | null;
  /** The fix for one of the report's messages, tried by the server; null if there is nothing to fix. */
  fix: OfferedFix | null;
}

export interface SessionOptions {
  /** The engine to use; if absent, the server chooses one for the document. */
  engine?: Engine;
  /** The id of the saved document: when it is deleted, its compile ends. */
  documentId?: string;
}

export interface CompileSession {
  getState(): LiveState;
  subscribe(listener: () => void): () => void;
  /** Reports the new text. `changes`: how it differs from the previous one, if the editor knows. */
  update(latex: string, figures: Figure[], changes?: TextChange[]): void;
  /** Stops the compile in progress. */
  stop(): void;
  /** Restarts a stopped compile. */
  again(): void;
  /** Where a line is printed; null if unknown. */
  locate(asked: {
    /** One of the figures; the document's own text without it. */
    file?: string;
    line: number;
    column?: number;
    nearPage?: number;
  }): Promise<PdfPlace | null>;
  /** Which line printed this point, and of which file (null: the document's own text); null if unknown. */
  findLine(point: {
    page: number;
    x: number;
    y: number;
  }): Promise<{ line: number; file: string | null } | null>;
  /** Finds fixes that make the newest text compile, or come as close as rules can. */
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
