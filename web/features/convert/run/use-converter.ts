/**
 * The converter's commands: each makes its call and dispatches the outcome to converter-state.ts. A command reads the
 * state when it starts (`current`), never that of an older render.
 */
import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import type { ConversionEvent, PageState } from '#shared/api/conversion.ts';
import type { ErrorObject } from '#shared/api/errors.ts';
import { describeError } from '../../../lib/api/describe-error.ts';
import { refreshCredits } from '../../../lib/billing/credits.ts';
import { openCreditsDialog } from '../../../lib/billing/credits-dialog.ts';
import { createPdfAddress, pdfDataAddress, readPdf, releasePdf } from '../../../lib/pdf/pdf-address.ts';
import { onSignOut } from '../../../lib/session/sign-out.ts';
import type { TrayState } from '../tray/tray-state.ts';
import { waitForSignIn } from './before-convert.ts';
import {
  cancelConversion,
  compileLatex,
  dismissConversion,
  getConversion,
  requestChange,
  retryPage,
  watermarkPdf,
} from './conversion-api.ts';
import { initialState, reduce } from './converter-state.ts';
import { followConversion } from './follow-conversion.ts';
import { deletePageImages, findPageImage } from './page-images.ts';
import { keepForPurchase } from './resume-conversion.ts';
import { isSample } from './samples.ts';
import { sendUpload } from './send-upload.ts';
import {
  deleteSession,
  findDraft,
  findSessionRecord,
  saveDraft,
  saveSessionRecord,
} from './session-record.ts';
import { type StartedConversion, startConversion } from './start-conversion.ts';

/** Edits are stored in the session this long after the last keystroke, in ms. */
const draftDelayMs = 400;

type SentConversion = Extract<StartedConversion, { ok: true }> & { conversionId: string };

/** The server certainly has a page's image once it is done with it. */
function hasPicture(state: PageState): boolean {
  return state === 'read' || state === 'failed';
}

export function useConverter() {
  const [state, dispatch] = useReducer(reduce, initialState);
  const current = useRef(state);
  current.current = state;
  const upload = useRef<AbortController | null>(null);
  const stopFollowing = useRef<() => void>(() => {});
  const documentCall = useRef<AbortController | null>(null);
  /** What was sent, for as long as this page is open: it can be read again. */
  const sent = useRef<SentConversion | null>(null);
  /** The delivered conversion whose pages are being read again. */
  const earlier = useRef<string | null>(null);

  const fail = useCallback((error: ErrorObject) => dispatch({ type: 'failed', error }), []);

  // every delivery and change may have used credits; a failure returns its reservation
  const { creditRefreshTrigger, conversionState } = state;
  useEffect(() => {
    if (creditRefreshTrigger > 0 || conversionState !== null) void refreshCredits();
  }, [creditRefreshTrigger, conversionState]);

  const follow = useCallback(
    (conversionId: string) => {
      stopFollowing.current();
      const keepImage = (event: ConversionEvent) => {
        if (event.type === 'page' && hasPicture(event.page.state))
          void findPageImage(conversionId, event.page.number);
      };
      stopFollowing.current = followConversion({
        conversionId,
        onEvent: (event) => {
          keepImage(event);
          dispatch({ type: 'eventArrived', event });
        },
        onState: (conversion) => {
          const documentName = current.current.documentName;
          const draft = findDraft(conversionId);
          for (const page of conversion.pages) keepImage({ type: 'page', page });
          dispatch({ type: 'conversionRestored', conversion, documentName, draft });
        },
        onConnection: (isOffline) => dispatch({ type: 'connectionChanged', isOffline }),
        onLost: fail,
      });
    },
    [fail],
  );

  // after a reload, or on return to this tab: resume
  useEffect(() => {
    const record = findSessionRecord();
    let isUnmounted = false;
    if (record && current.current.conversionId === null) {
      const { conversionId, documentName } = record;
      dispatch({ type: 'restoreStarted', conversionId, documentName });
      void getConversion(conversionId).then((answer) => {
        if (isUnmounted) return;
        if (!answer.ok && (answer.error.code === 'NOT_FOUND' || isSample(conversionId))) {
          deleteSession();
          return dispatch({ type: 'dismissed' });
        }
        if (!answer.ok) return follow(conversionId);
        const conversion = answer.data;
        dispatch({ type: 'conversionRestored', conversion, documentName, draft: findDraft(conversionId) });
        if (conversion.state === 'reading' || conversion.state === 'assembling') follow(conversionId);
      });
    }
    return () => {
      isUnmounted = true;
      upload.current?.abort();
      documentCall.current?.abort();
      stopFollowing.current();
    };
  }, [follow]);

  useEffect(() => {
    const { conversionId, latex, deliveredLatex, spots, checked } = state;
    if (conversionId === null || latex === null || deliveredLatex === null) return;
    const timer = setTimeout(() => {
      const edited = latex === deliveredLatex ? null : latex;
      saveDraft(conversionId, { latex: edited, spots, checked, deliveredLength: deliveredLatex.length });
    }, draftDelayMs);
    return () => clearTimeout(timer);
  }, [state]);

  // a compiled PDF is released once nothing shows it any more
  const heldAddresses = useRef<string[]>([]);
  useEffect(() => {
    const { pdfUrl, unmarkedPdfUrl, heldPdf } = state;
    const inUse = [pdfUrl, unmarkedPdfUrl, heldPdf?.pdfUrl, heldPdf?.unmarkedPdfUrl].filter(
      (address) => !!address,
    );
    for (const address of heldAddresses.current) if (!inUse.includes(address)) releasePdf(address);
    heldAddresses.current = inUse as string[];
  }, [state]);

  /** Uploads the pages, showing how far it is; `cancel` aborts it. */
  const send = useCallback((what: Omit<Parameters<typeof sendUpload>[0], 'signal' | 'onProgress'>) => {
    const controller = new AbortController();
    upload.current = controller;
    return sendUpload({
      ...what,
      signal: controller.signal,
      onProgress: (percent) => dispatch({ type: 'uploadProgressed', percent }),
    });
  }, []);

  const convert = useCallback(
    async (tray: TrayState) => {
      const started = await startConversion(tray);
      if (!started.ok) return started.error ? fail(started.error) : undefined;
      const { files, file, filteredFile, documentName, startPage, endPage } = started;
      dispatch({ type: 'convertStarted', file, filteredFile, documentName, startPage, endPage });
      earlier.current = null;
      const outcome = await send({ files, startPage, endPage });
      switch (outcome.kind) {
        case 'accepted':
          sent.current = { ...started, conversionId: outcome.event.conversion_id };
          saveSessionRecord({ conversionId: outcome.event.conversion_id, documentName });
          dispatch({ type: 'eventArrived', event: outcome.event });
          return follow(outcome.event.conversion_id);
        case 'answered': {
          const { conversion_id: conversionId } = outcome.result;
          if (conversionId !== null) saveSessionRecord({ conversionId, documentName });
          return dispatch({ type: 'answerArrived', result: outcome.result });
        }
        case 'failed':
          if (outcome.error.code === 'UNAUTHORIZED') {
            dispatch({ type: 'dismissed' });
            return waitForSignIn(tray, 'login', describeError(outcome.error));
          }
          if (outcome.error.code !== 'INSUFFICIENT_CREDITS') return fail(outcome.error);
          // the tray is unchanged; the dialog says what is missing
          dispatch({ type: 'dismissed' });
          return askForCredits('conversion', outcome.error, () => keepForPurchase(tray));
        case 'aborted':
          return dispatch({ type: 'dismissed' });
      }
    },
    [fail, follow, send],
  );

  /** Deletes the conversion here and on the server. Resolves once the server has done so. */
  const dismiss = useCallback(async () => {
    const { conversionId } = current.current;
    upload.current?.abort();
    documentCall.current?.abort();
    stopFollowing.current();
    sent.current = null;
    earlier.current = null;
    deleteSession();
    dispatch({ type: 'dismissed' });
    if (conversionId !== null)
      await Promise.all([dismissConversion(conversionId), deletePageImages(conversionId)]);
  }, []);

  // a sign-out clears the desk
  useEffect(() => onSignOut(dismiss), [dismiss]);

  /** Shows the document whose pages were to be read again. False if there is none. */
  const restoreEarlier = useCallback(async (): Promise<boolean> => {
    const conversionId = earlier.current;
    earlier.current = null;
    if (conversionId === null) return false;
    stopFollowing.current();
    const answer = await getConversion(conversionId);
    if (!answer.ok) return false;
    const { documentName } = current.current;
    saveSessionRecord({ conversionId, documentName });
    if (sent.current) sent.current = { ...sent.current, conversionId };
    dispatch({
      type: 'conversionRestored',
      conversion: answer.data,
      documentName,
      draft: findDraft(conversionId),
    });
    return true;
  }, []);

  const goBack = useCallback(async () => {
    if (!(await restoreEarlier())) await dismiss();
  }, [restoreEarlier, dismiss]);

  /** Stops a running conversion and discards its pages. */
  const cancel = useCallback(async () => {
    const { conversionId } = current.current;
    upload.current?.abort();
    if (conversionId === null) return;
    const cancelled = await cancelConversion(conversionId);
    if (!cancelled.ok && cancelled.error.code !== 'NOT_FOUND') return fail(cancelled.error);
    await goBack();
  }, [goBack, fail]);

  /**
   * Sends the delivered document's pages once more, free of charge, with one of them rotated from how it is
   * shown.
   */
  const readAgain = useCallback(
    async (number: number, degrees: 90 | 180 | 270) => {
      const { conversionId } = current.current;
      const again = sent.current;
      if (conversionId === null || again?.conversionId !== conversionId) return;
      const { files, startPage, endPage, documentName } = again;
      stopFollowing.current();
      dispatch({ type: 'convertStarted', ...again });
      earlier.current = conversionId;
      const outcome = await send({
        files,
        startPage,
        endPage,
        again: { conversionId, turns: `${number}:${degrees}` },
      });
      if (outcome.kind === 'accepted') {
        const { conversion_id: id } = outcome.event;
        sent.current = { ...again, conversionId: id };
        saveSessionRecord({ conversionId: id, documentName });
        dispatch({ type: 'eventArrived', event: outcome.event });
        return follow(id);
      }
      await goBack();
      if (outcome.kind === 'failed') fail(outcome.error);
    },
    [fail, follow, goBack, send],
  );

  const retry = useCallback(
    async (number: number) => {
      const { conversionId } = current.current;
      if (conversionId === null) return;
      const retried = await retryPage(conversionId, number);
      if (!retried.ok) return fail(retried.error);
      dispatch({ type: 'pageRetried', number });
      follow(conversionId);
    },
    [fail, follow],
  );

  const compile = useCallback(async () => {
    const { latex, figures, isCompiling } = current.current;
    if (latex === null || isCompiling) return;
    dispatch({ type: 'compileStarted' });
    await compileInto(latex, figures);

    async function compileInto(source: string, sourceFigures: typeof figures) {
      const controller = new AbortController();
      documentCall.current = controller;
      const compiled = await compileLatex(source, sourceFigures, controller.signal).catch(() => null);
      if (compiled === null) return;
      if (!compiled.ok) return fail(compiled.error);
      dispatch({ type: 'compileSucceeded', latex: source, pdfUrl: createPdfAddress(compiled.data) });
    }
  }, [fail]);

  const stopCompile = useCallback(() => {
    if (!current.current.isCompiling) return;
    documentCall.current?.abort();
    dispatch({ type: 'compileStopped' });
  }, []);

  const change = useCallback(async () => {
    const { latex, feedback, figures, loading } = current.current;
    if (latex === null || feedback.trim() === '' || loading) return;
    dispatch({ type: 'changeStarted' });
    const controller = new AbortController();
    documentCall.current = controller;
    const answered = await requestChange(latex, feedback.trim(), figures, controller.signal).catch(
      () => null,
    );
    if (answered === null) return;
    if (!answered.ok && answered.error.code === 'INSUFFICIENT_CREDITS') {
      const { feedback: request } = current.current;
      dispatch({ type: 'changeFailed', error: answered.error });
      dispatch({ type: 'errorDismissed' });
      // stored, to be sent once there are credits
      dispatch({ type: 'feedbackTyped', feedback: request });
      return askForCredits('assistant', answered.error);
    }
    if (!answered.ok) return dispatch({ type: 'changeFailed', error: answered.error });
    const { latex: changed, description = null, warnings = [] } = answered.data;
    dispatch({ type: 'changeAnswered', latex: changed, description, warnings });
    const compiled = await compileLatex(changed, figures, controller.signal).catch(() => null);
    if (compiled === null) return;
    if (!compiled.ok) return fail(compiled.error);
    dispatch({ type: 'compileSucceeded', latex: changed, pdfUrl: createPdfAddress(compiled.data) });
  }, [fail]);

  const watermark = useCallback(
    async (text: string, sizeScale: number) => {
      const { pdfUrl, unmarkedPdfUrl } = current.current;
      // a second watermark replaces the first: both are applied to the original PDF
      const original = unmarkedPdfUrl ?? pdfUrl;
      if (original === null || text.trim() === '') return;
      dispatch({ type: 'watermarkStarted' });
      const marked = await watermarkPdf(readPdf(original), text.trim(), sizeScale);
      if (!marked.ok) return fail(marked.error);
      dispatch({ type: 'watermarkSucceeded', pdfUrl: pdfDataAddress(marked.data.pdf_base64) });
    },
    [fail],
  );

  const undoWatermark = useCallback(() => {
    dispatch({ type: 'watermarkUndoStarted' });
    dispatch({ type: 'watermarkUndone' });
  }, []);

  return useMemo(
    () => ({
      state,
      dispatch,
      convert,
      cancel,
      dismiss,
      goBack,
      readAgain,
      /** The conversion whose pages can be read again from here; null if their files are no longer available. */
      readableAgain: () => sent.current?.conversionId ?? null,
      retry,
      compile,
      stopCompile,
      change,
      watermark,
      undoWatermark,
    }),
    [
      state,
      convert,
      cancel,
      dismiss,
      goBack,
      readAgain,
      retry,
      compile,
      stopCompile,
      change,
      watermark,
      undoWatermark,
    ],
  );
}

/** INSUFFICIENT_CREDITS: the dialog says what is missing and offers the bundles. */
function askForCredits(
  kind: 'conversion' | 'assistant',
  { required, available }: ErrorObject,
  beforeLeaving?: () => Promise<void>,
): void {
  // the balance shown was out of date
  void refreshCredits();
  openCreditsDialog({ kind, required: required ?? null, available: available ?? null, beforeLeaving });
}

export type Converter = ReturnType<typeof useConverter>;
