/**
 * The converter's session state (specification, sections 3 and 4) and everything that can happen to it. Pure: the
 * commands in use-converter.ts make the calls and tell this what came of them.
 *
 *   desk ──convertStarted──► converting ──event: delivered──► result
 *     ▲                        │    ▲ (retried page)            │
 *     └── failed / cancelled ◄─┘    └──────────────────────────┤
 *     └────────────────────── dismissed ◄──────────────────────┘
 */
import type {
  ConversionEvent,
  ConversionPage,
  ConversionState,
  Figure,
  ProcessResponse,
  SourceMap,
} from '#shared/api/conversion.ts';
import type { ErrorObject, Warning } from '#shared/api/errors.ts';
import { describeError } from '../../../lib/api/describe-error.ts';
import { type DoubtfulSpot, listSpots, moveSpots } from '../../../lib/doubtful-spots.ts';
import { pdfDataAddress } from '../../../lib/pdf/pdf-address.ts';
import type { ConverterAction } from './converter-actions.ts';
import { putPage, waitingPages } from './page-list.ts';
import { decideSpot, putDraft } from './result-draft.ts';

export interface ConverterState {
  /** The file that the user added, or the first of several. After a reload only its name is left. */
  file: File | null;
  /** Sent instead if pages were left out, moved or rotated. */
  filteredFile: File | null;
  /** File name of downloads, without an ending. */
  documentName: string;
  startPage: number;
  /** 1-based and included; null for the last. */
  endPage: number | null;

  loading: boolean;
  uploading: boolean;
  /** 0 … 100 */
  uploadProgress: number;
  /** All pages have been read; the document is being assembled and proved. */
  finishing: boolean;
  isPdfAssistantLoading: boolean;
  isCompiling: boolean;
  isWatermarking: boolean;
  isUndoingWatermark: boolean;

  latex: string | null;
  pdfUrl: string | null;
  error: string | null;
  errorObj: ErrorObject | null;
  warnings: Warning[];
  /** Unconfirmed doubtful spots of `latex`. */
  spots: DoubtfulSpot[];
  /** How many spots were confirmed or corrected. */
  checked: number;
  feedback: string;
  /** What the last change request changed, in words. */
  changeNote: string | null;
  /** Incremented whenever credits may have changed, so that balances are read again. */
  creditRefreshTrigger: number;

  conversionId: string | null;
  conversionState: ConversionState | null;
  pageCount: number;
  pages: ConversionPage[];
  figures: Figure[];
  /** The LaTeX that `pdfUrl` shows; differs from `latex` after edits. */
  provenLatex: string | null;
  /** The LaTeX as delivered, to tell whether it was edited. */
  deliveredLatex: string | null;
  /** Where the lines of `deliveredLatex` were read. */
  deliveredMap: SourceMap | null;
  /** The PDF without its watermark; null if it has none. */
  unmarkedPdfUrl: string | null;
  /** The PDFs cleared while a change request runs; restored if it fails, because the LaTeX is then unchanged. */
  heldPdf: { pdfUrl: string | null; unmarkedPdfUrl: string | null } | null;
  /** A new delivery with a retried page, while the document has been edited here: the user chooses. */
  pendingResult: ProcessResponseBody | null;
  isOffline: boolean;
}

type ProcessResponseBody = Omit<ProcessResponse, 'conversion_id'>;

const noWork = {
  loading: false,
  uploading: false,
  uploadProgress: 0,
  finishing: false,
  isPdfAssistantLoading: false,
  isCompiling: false,
  isWatermarking: false,
  isUndoingWatermark: false,
} as const;
const noError = { error: null, errorObj: null } as const;

export const initialState: ConverterState = {
  ...noWork,
  ...noError,
  file: null,
  filteredFile: null,
  documentName: 'document',
  startPage: 1,
  endPage: null,
  latex: null,
  pdfUrl: null,
  warnings: [],
  spots: [],
  checked: 0,
  feedback: '',
  changeNote: null,
  creditRefreshTrigger: 0,
  conversionId: null,
  conversionState: null,
  pageCount: 0,
  pages: [],
  figures: [],
  provenLatex: null,
  deliveredLatex: null,
  deliveredMap: null,
  unmarkedPdfUrl: null,
  heldPdf: null,
  pendingResult: null,
  isOffline: false,
};

/** Which screen shows the state. */
export type Phase = 'desk' | 'converting' | 'result';

export function phaseOf(state: ConverterState): Phase {
  if (state.latex !== null) return 'result';
  if (state.uploading || state.conversionId !== null) return 'converting';
  return state.loading ? 'converting' : 'desk';
}

/** A request is running that the next one must wait for. */
export function isBusy(state: ConverterState): boolean {
  return state.isPdfAssistantLoading || state.isCompiling || state.isWatermarking || state.isUndoingWatermark;
}

export function reduce(state: ConverterState, action: ConverterAction): ConverterState {
  switch (action.type) {
    case 'convertStarted':
      return {
        ...initialState,
        creditRefreshTrigger: state.creditRefreshTrigger,
        file: action.file,
        filteredFile: action.filteredFile,
        documentName: action.documentName,
        startPage: action.startPage,
        endPage: action.endPage,
        loading: true,
        uploading: true,
      };
    case 'uploadProgressed': {
      const uploadProgress = Math.max(state.uploadProgress, Math.min(100, Math.round(action.percent)));
      return { ...state, uploadProgress, uploading: state.loading && uploadProgress < 100 };
    }
    case 'eventArrived':
      return reduceEvent(state, action.event);
    case 'restoreStarted':
      return {
        ...initialState,
        conversionId: action.conversionId,
        documentName: action.documentName,
        loading: true,
      };
    case 'conversionRestored':
      return restore(state, action);
    case 'answerArrived':
      return deliver(state, action.result, action.result.conversion_id);
    case 'connectionChanged':
      return { ...state, isOffline: action.isOffline };
    case 'failed':
      return fail(state, action.error);
    case 'errorDismissed':
      return { ...state, ...noError };
    case 'pageRetried':
      return {
        ...state,
        ...noError,
        pages: state.pages.map((page) =>
          page.number === action.number ? { ...page, state: 'waiting', error: undefined } : page,
        ),
        conversionState: 'reading',
        loading: true,
      };
    case 'pendingResultAccepted':
      return state.pendingResult ? putResult(state, state.pendingResult, state.conversionId) : state;
    case 'pendingResultDeclined':
      return { ...state, pendingResult: null };
    case 'latexEdited':
      return {
        ...state,
        latex: action.latex,
        spots: action.spots ?? moveSpots(state.spots, state.latex ?? '', action.latex),
      };
    case 'spotConfirmed':
    case 'spotRestored':
      return { ...state, ...decideSpot(state, action) };
    case 'compileStarted':
      return { ...state, ...noError, isCompiling: true };
    case 'compileStopped':
      return { ...state, isCompiling: false };
    case 'compileSucceeded':
      return {
        ...state,
        ...noError,
        isCompiling: false,
        loading: false,
        isPdfAssistantLoading: false,
        pdfUrl: action.pdfUrl,
        provenLatex: action.latex,
        unmarkedPdfUrl: null,
      };
    case 'livePdfArrived':
      // a change request cleared the PDF, and a requested compile shows its own
      if (state.latex === null || state.isPdfAssistantLoading || state.isCompiling) return state;
      return {
        ...state,
        // of a text that has since been fixed
        ...(state.errorObj?.code.startsWith('COMPILATION_') ? noError : {}),
        pdfUrl: action.pdfUrl,
        provenLatex: action.latex,
        unmarkedPdfUrl: null,
      };
    case 'feedbackTyped':
      return { ...state, feedback: action.feedback };
    case 'changeStarted':
      if (state.feedback.trim() === '') return state;
      return {
        ...state,
        ...noError,
        loading: true,
        isPdfAssistantLoading: true,
        changeNote: null,
        heldPdf: { pdfUrl: state.pdfUrl, unmarkedPdfUrl: state.unmarkedPdfUrl },
        pdfUrl: null,
        unmarkedPdfUrl: null,
      };
    case 'changeAnswered':
      return {
        ...state,
        latex: action.latex,
        spots: moveSpots(state.spots, state.latex ?? '', action.latex),
        feedback: '',
        changeNote: action.description,
        heldPdf: null,
        warnings: [...state.warnings, ...action.warnings],
        creditRefreshTrigger: state.creditRefreshTrigger + 1,
      };
    case 'changeFailed':
      return { ...fail(state, action.error), ...state.heldPdf, heldPdf: null, feedback: '' };
    case 'changeNoteDismissed':
      return { ...state, changeNote: null };
    case 'watermarkStarted':
      return { ...state, ...noError, isWatermarking: true };
    case 'watermarkSucceeded':
      return {
        ...state,
        isWatermarking: false,
        unmarkedPdfUrl: state.unmarkedPdfUrl ?? state.pdfUrl,
        pdfUrl: action.pdfUrl,
      };
    case 'watermarkUndoStarted':
      return { ...state, ...noError, isUndoingWatermark: true };
    case 'watermarkUndone':
      return {
        ...state,
        isUndoingWatermark: false,
        pdfUrl: state.unmarkedPdfUrl ?? state.pdfUrl,
        unmarkedPdfUrl: null,
      };
    case 'dismissed':
      return { ...initialState, creditRefreshTrigger: state.creditRefreshTrigger };
  }
}

function fail(state: ConverterState, error: ErrorObject): ConverterState {
  return {
    ...state,
    ...noWork,
    error: describeError(error),
    errorObj: error,
    // a failure before there is a result has the pages' warnings; a later one has its own messages
    warnings: state.latex === null ? (error.warnings ?? []) : state.warnings,
  };
}

/** A delivery: new, repeated, or newer than a document that has been edited here in the meantime. */
function deliver(
  state: ConverterState,
  result: ProcessResponseBody,
  conversionId: string | null,
): ConverterState {
  if (state.latex === null) return putResult(state, result, conversionId);
  const settled: ConverterState = { ...state, ...noWork, conversionState: 'delivered' };
  if (result.latex === state.deliveredLatex) return settled;
  const hasEdits = state.latex !== state.deliveredLatex;
  return hasEdits ? { ...settled, pendingResult: result } : putResult(state, result, conversionId);
}

function putResult(
  state: ConverterState,
  result: ProcessResponseBody,
  conversionId: string | null,
): ConverterState {
  return {
    ...state,
    ...noWork,
    ...noError,
    conversionId,
    conversionState: 'delivered',
    latex: result.latex,
    provenLatex: result.latex,
    deliveredLatex: result.latex,
    deliveredMap: result.source_map,
    pdfUrl: pdfDataAddress(result.pdf_base64),
    unmarkedPdfUrl: null,
    pendingResult: null,
    figures: result.figures,
    warnings: result.warnings,
    spots: listSpots(result.doubtful),
    checked: 0,
    changeNote: null,
    creditRefreshTrigger: state.creditRefreshTrigger + 1,
  };
}

function reduceEvent(state: ConverterState, event: ConversionEvent): ConverterState {
  switch (event.type) {
    case 'accepted':
      return {
        ...state,
        conversionId: event.conversion_id,
        conversionState: state.conversionState ?? 'reading',
        pageCount: event.page_count,
        pages: waitingPages(event.page_count, state.pages),
        uploading: false,
        uploadProgress: 100,
      };
    case 'page':
      return { ...state, pages: putPage(state.pages, event.page) };
    case 'stage':
      return {
        ...state,
        conversionState: event.state,
        loading: event.state === 'reading' || event.state === 'assembling',
        finishing: event.state === 'assembling',
      };
    case 'delivered':
      return deliver(state, event.result, event.result.conversion_id);
    case 'failed':
      return { ...fail(state, event.error), conversionState: 'failed' };
    case 'cancelled':
      return { ...state, ...noWork, conversionState: 'cancelled' };
    case 'expired':
      return { ...state, ...noWork, conversionState: 'expired' };
  }
}

function restore(
  state: ConverterState,
  action: Extract<ConverterAction, { type: 'conversionRestored' }>,
): ConverterState {
  const { conversion } = action;
  const isWorking = conversion.state === 'reading' || conversion.state === 'assembling';
  let next: ConverterState = {
    ...state,
    documentName: action.documentName,
    conversionId: conversion.conversion_id,
    conversionState: conversion.state,
    pageCount: conversion.pages.length,
    pages: conversion.pages,
    loading: isWorking,
    uploading: false,
    finishing: conversion.state === 'assembling',
  };
  // while a page is being retried the earlier delivery stays on screen
  if (conversion.result) {
    const delivered = deliver(next, conversion.result, conversion.conversion_id);
    next = { ...delivered, conversionState: conversion.state, loading: isWorking, finishing: next.finishing };
    if (state.latex === null && action.draft !== null) next = { ...next, ...putDraft(next, action.draft) };
  }
  return conversion.error && next.latex === null ? fail(next, conversion.error) : next;
}
