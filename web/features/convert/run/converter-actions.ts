/** The actions of the converter's state. */
import type { Conversion, ConversionEvent } from '#shared/api/conversion.ts';
import type { ErrorObject, Warning } from '#shared/api/errors.ts';
import type { DoubtfulSpot } from '../../../lib/doubtful-spots.ts';
import type { PlainAnswer } from './send-upload.ts';

/** The user's changes to a result, which survive a reload. */
export interface Draft {
  /** The edited LaTeX; null if it is as delivered. */
  latex: string | null;
  /** The unconfirmed spots, at their positions in it. */
  spots: DoubtfulSpot[];
  /** How many were confirmed or corrected. */
  checked?: number;
  /** Identifies the delivery that these spots belong to, by the length of its LaTeX. */
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
  /** `spots`: the new positions of the doubtful spots, if known. */
  | { type: 'latexEdited'; latex: string; spots?: DoubtfulSpot[] }
  | { type: 'spotConfirmed'; id: number }
  /** The last confirmation is undone. */
  | { type: 'spotRestored'; spot: DoubtfulSpot }
  | { type: 'compileStarted' }
  | { type: 'compileStopped' }
  | { type: 'compileSucceeded'; latex: string; pdfUrl: string }
  /** A PDF compiled while typing; it may be of an earlier text. */
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
