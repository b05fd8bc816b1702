/** Saving the result on the screen: its status, and the available actions. Resumes by itself after a sign-in. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { nameDocument } from '#latex/source/title/name-document.ts';
import type { ErrorObject } from '#shared/api/errors.ts';
import { describeError } from '#web/lib/api/describe-error.ts';
import { openAuthDialog } from '#web/lib/auth-dialog.ts';
import { clearPendingAction, savePendingAction, takePendingAction } from '#web/lib/pending-action.ts';
import { getSessionState } from '#web/lib/session/session-store.ts';
import { useSession } from '#web/lib/session/use-session.ts';
import type { ConverterState } from '../run/converter-state.ts';
import type { Result, SaveOptions, SaveOutcome, SaveProgress } from './save-result.ts';
import {
  findSavedRecord,
  keepSavedRecord,
  type SavedDocumentRecord,
  type SavedRecord,
} from './saved-record.ts';

// imports the text comparison: loaded only when somebody saves
const loadWork = () => import('./save-result.ts');

type SaveState =
  | { kind: 'idle' }
  | { kind: 'saving'; progress: SaveProgress | null }
  /** `text` is shown to the user. */
  | { kind: 'failed'; text: string }
  /** The document has since been changed in the editor. */
  | { kind: 'changed-elsewhere' };

export interface SaveControl {
  state: SaveState;
  /** The document that the result was saved to; null before that. */
  document: SavedDocumentRecord | null;
  /** The document has everything that is on the screen. */
  isUpToDate: boolean;
  /** Pages whose image was requested but not saved. */
  missing: readonly number[];
  /** For the first save. */
  suggestedTitle: string;
  /** Saves as a new document: the first time, or if the saved one was changed elsewhere. */
  saveNew: (options: SaveOptions) => Promise<boolean>;
  saveAgain: () => Promise<boolean>;
  reset: () => void;
}

interface Hears {
  /** A sign-in is requested, after which the save resumes. */
  onSignIn: () => void;
  /** The save resumes now. */
  onResume: () => void;
}

export function useSaveResult(converter: ConverterState, hears: Hears): SaveControl {
  const { state: sessionState } = useSession();
  const [state, setState] = useState<SaveState>({ kind: 'idle' });
  const [missing, setMissing] = useState<readonly number[]>([]);
  const { conversionId } = converter;
  const [record, setRecord] = useState<SavedRecord | null>(() =>
    conversionId === null ? null : findSavedRecord(conversionId),
  );
  /** The text that the document has; null if unknown, after a reload. */
  const [savedLatex, setSavedLatex] = useState<string | null>(null);
  const latest = useRef({ converter, record, hears });
  latest.current = { converter, record, hears };

  const take = useCallback((outcome: SaveOutcome): boolean => {
    const { converter: now } = latest.current;
    if (outcome.kind === 'saved') {
      setRecord(now.conversionId === null ? null : findSavedRecord(now.conversionId));
      setSavedLatex(outcome.latex);
      setMissing(outcome.missing);
      setState({ kind: 'idle' });
      return true;
    }
    setState(
      outcome.kind === 'failed'
        ? { kind: 'failed', text: describeFailure(outcome.error) }
        : { kind: 'changed-elsewhere' },
    );
    return false;
  }, []);

  const saveNew = useCallback(
    async (options: SaveOptions): Promise<boolean> => {
      const result = readResult(latest.current.converter);
      if (result === null) return false;
      if (getSessionState().state !== 'signed-in') {
        latest.current.hears.onSignIn();
        await askToSignIn(result.conversionId, options);
        return false;
      }
      const { record: known } = latest.current;
      const begun: SavedRecord =
        known && known.document === null
          ? known
          : { conversionId: result.conversionId, saveId: crypto.randomUUID(), document: null };
      keepSavedRecord(begun);
      setRecord(begun);
      setState({ kind: 'saving', progress: null });
      const work = await loadWork();
      return take(
        await work.saveNew(result, begun, options, (progress) => setState({ kind: 'saving', progress })),
      );
    },
    [take],
  );

  const saveAgain = useCallback(async (): Promise<boolean> => {
    const result = readResult(latest.current.converter);
    const { record: known } = latest.current;
    if (result === null || !known?.document) return false;
    setState({ kind: 'saving', progress: null });
    const work = await loadWork();
    const outcome = await work.saveAgain(result, { ...known, document: known.document });
    // deleted for good in the meantime: save it as a new one
    if (outcome.kind === 'failed' && outcome.error.code === 'NOT_FOUND') {
      const { title, hasImages } = known.document;
      setRecord(null);
      latest.current.record = null;
      return saveNew({ title, folderId: null, withImages: hasImages });
    }
    return take(outcome);
  }, [saveNew, take]);

  // a save that waited for a sign-in
  const isHere = conversionId !== null && converter.latex !== null;
  useEffect(() => {
    if (!isHere || sessionState !== 'signed-in') return;
    void takePendingAction('save').then((pending) => {
      if (pending?.conversionId !== conversionId) return;
      const { title, withImages } = pending;
      latest.current.hears.onResume();
      void saveNew({ title, folderId: null, withImages });
    });
  }, [isHere, conversionId, sessionState, saveNew]);

  return {
    state,
    document: record?.document ?? null,
    isUpToDate: record?.document != null && savedLatex === converter.latex,
    missing,
    suggestedTitle: nameDocument(converter.latex ?? '') ?? converter.documentName,
    saveNew,
    saveAgain,
    reset: () => setState({ kind: 'idle' }),
  };
}

async function askToSignIn(conversionId: string, { title, withImages }: SaveOptions): Promise<void> {
  // saved before the dialog opens: a sign-in may leave this page
  await savePendingAction({ kind: 'save', conversionId, title, withImages });
  openAuthDialog('login', {
    message: 'Log in or sign up to save. The result stays here.',
    pending: { onCancel: () => void clearPendingAction('save') },
  });
}

function readResult(state: ConverterState): Result | null {
  const { conversionId, latex, deliveredLatex, deliveredMap, spots, checked, figures, pages } = state;
  if (conversionId === null || latex === null) return null;
  return {
    conversionId,
    latex,
    deliveredLatex,
    deliveredMap,
    spots,
    checked,
    figures,
    pageCount: pages.length,
  };
}

function describeFailure(error: ErrorObject): string {
  return error.code === 'NOT_FOUND' ? 'This folder no longer exists. Choose another.' : describeError(error);
}
