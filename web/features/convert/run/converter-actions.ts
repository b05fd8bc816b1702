/** Everything that can happen to the converter's session. */
import type { Conversion, ConversionEvent } from '#shared/api/conversion.ts';
import type { ErrorObject, Warning } from '#shared/api/errors.ts';
import type { DoubtfulSpot } from '../../../lib/doubtful-spots.ts';
import type { PlainAnswer } from './send-upload.ts';

/** What a person did to a result, kept across a reload. */
export interface Draft {
  /** The edited LaTeX; null when it is as delivered. */
  latex: string | null;
  /** The spots not confirmed yet, at their places in it. */
  spots: DoubtfulSpot[];
  /** The delivery these spots belong to, by the length of its LaTeX. */
  deliveredLength: number;
}

export type ConverterAction =
  | {
      type: 'convertStarted';
      file: File;
      filteredFile: File | null;
      documentName: string;
      startPage: number;
      endPage: number | null;
    }
  | { type: 'uploadProgressed'; percent: number }
  | { type: 'eventArrived'; event: ConversionEvent }
  | { type: 'restoreStarted'; conversionId: string; documentName: string }
  | { type: 'conversionRestored'; conversion: Conversion; documentName: string; draft: Draft | null }
  | { type: 'answerArrived'; result: PlainAnswer }
  | { type: 'connectionChanged'; isOffline: boolean }
  | { type: 'failed'; error: ErrorObject }
  | { type: 'errorDismissed' }
  | { type: 'pageRetried'; number: number }
  | { type: 'pendingResultAccepted' }
  | { type: 'pendingResultDeclined' }
  /** `spots`: where the doubtful ones now stand, if what changed the text knows. */
  | { type: 'latexEdited'; latex: string; spots?: DoubtfulSpot[] }
  | { type: 'spotConfirmed'; id: number }
  | { type: 'compileStarted' }
  | { type: 'compileStopped' }
  | { type: 'compileSucceeded'; latex: string; pdfUrl: string }
  /** A PDF that was compiled while typing; it may be of a text before the newest. */
  | { type: 'livePdfArrived'; latex: string; pdfUrl: string }
  | { type: 'feedbackTyped'; feedback: string }
  | { type: 'changeStarted' }
  | { type: 'changeAnswered'; latex: string; description: string | null; warnings: Warning[] }
  | { type: 'changeNoteDismissed' }
  | { type: 'changeFailed'; error: ErrorObject }
  | { type: 'watermarkStarted' }
  | { type: 'watermarkSucceeded'; pdfUrl: string }
  | { type: 'watermarkUndoStarted' }
  | { type: 'watermarkUndone' }
  | { type: 'dismissed' };
