import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { takeEarlyFiles } from '#web/lib/page/early-files.ts';
import { findPendingAction, isPendingActionOwn, type PendingConversion } from '#web/lib/pending-action.ts';
import { retryImport } from '#web/lib/retry-import.ts';
import { useSession } from '#web/lib/session/use-session.ts';
import { DropZone } from '#web/ui/controls/drop-zone.tsx';
import { DeskFrame } from './desk/desk-frame.tsx';
import { EmptyDesk } from './desk/empty-desk.tsx';
import { ImportNotice, isLatexFile } from './import-notice.tsx';
import { handwrittenSample, type Sample } from './run/samples.ts';
import { findSessionRecord, saveSessionRecord } from './run/session-record.ts';

const loadDesk = () => import('./desk/desk.tsx');
/** Signs that somebody is about to use the page. */
const signs = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin', 'dragenter', 'paste'];
const Desk = lazy(async () => ({ default: (await retryImport(loadDesk)).Desk }));

/**
 * The converter. The empty desk is small; the full desk's code is loaded when somebody touches the page, long before a
 * file is picked, or at once if a conversion is in progress in this tab.
 */
export function ConvertScreen() {
  const [files, setFiles] = useState<File[] | null>(null);
  const [latexFiles, setLatexFiles] = useState<File[]>([]);
  /** Takes out files that are LaTeX already. @returns those for the converter */
  const keepLatex = useCallback((given: File[]) => {
    const latex = given.filter(isLatexFile);
    if (latex.length > 0) setLatexFiles((known) => [...known, ...latex]);
    return given.filter((file) => !isLatexFile(file));
  }, []);
  useEffect(() => {
    const early = takeEarlyFiles();
    const notes = keepLatex(early);
    if (asksForSample() && !findSessionRecord()) openSample(handwrittenSample);
    if (notes.length > 0 || findSessionRecord()) setFiles(notes);
  }, [keepLatex]);
  useEffect(() => {
    const begun = new AbortController();
    const begin = () => {
      begun.abort();
      // Desk tries again if this fails
      loadDesk().catch(() => undefined);
    };
    for (const sign of signs) addEventListener(sign, begin, { signal: begun.signal, passive: true });
    return () => begun.abort();
  }, []);
  // a conversion that waited for a sign-in resumes: in the tab where it was started, or where the user is now signed
  // in
  const { state } = useSession();
  const [pending, setPending] = useState<PendingConversion | null>(null);
  const isEmpty = files === null;
  const wasSignedOut = useRef(false);
  useEffect(() => {
    if (state === 'signed-out') wasSignedOut.current = true;
    // a tab that was open while another signed in leaves it to that one
    const isOurs = isPendingActionOwn('convert') || (state === 'signed-in' && !wasSignedOut.current);
    if (!isEmpty || state === 'loading' || !isOurs) return;
    void findPendingAction('convert').then((found) => {
      if (!found) return;
      setPending(found);
      setFiles((known) => known ?? []);
    });
  }, [isEmpty, state]);
  const handleEmpty = useCallback(() => {
    setPending(null);
    setFiles(null);
  }, []);

  const handleSample = (sample: Sample) => {
    openSample(sample);
    setFiles([]);
  };
  const handleFiles = (given: File[]) => {
    const notes = keepLatex(given);
    if (notes.length > 0) setFiles(notes);
  };
  const notice = latexFiles.length > 0 && (
    <ImportNotice files={latexFiles} isDeskEmpty={isEmpty} onDone={() => setLatexFiles([])} />
  );

  if (files === null)
    return (
      <DropZone onFiles={handleFiles}>
        {notice}
        <EmptyDesk onFiles={handleFiles} onSample={handleSample} />
      </DropZone>
    );
  return (
    <>
      {notice}
      <Suspense fallback={<DeskFrame />}>
        <Desk initialFiles={files} pending={pending} keepLatex={keepLatex} onEmpty={handleEmpty} />
      </Suspense>
    </>
  );
}

/** True for an address that ends in `?sample`, as an empty library links to. Only the first call returns true. */
function asksForSample(): boolean {
  const { pathname, search } = window.location;
  if (!new URLSearchParams(search).has('sample')) return false;
  window.history.replaceState(window.history.state, '', pathname);
  return true;
}

/** The desk restores it like the conversion of a page that was reloaded. */
function openSample({ id, documentName }: Sample): void {
  saveSessionRecord({ conversionId: id, documentName });
}
