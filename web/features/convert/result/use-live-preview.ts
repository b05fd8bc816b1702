/** The converter's document in a compile session: compiles while typing, and shows what is good. */
import { useCallback, useEffect, useRef } from 'react';
import type { TextChange } from '#shared/api/compile-session.ts';
import type { CompileSession, LiveState } from '#web/lib/compile-session/live-state.ts';
import { useCompileSession, useLiveState } from '#web/lib/compile-session/use-compile-session.ts';
import { createPdfAddress } from '#web/lib/pdf/pdf-address.ts';
import type { Converter } from '../run/use-converter.ts';

const wholeState = (live: LiveState) => live;

export interface LivePreview {
  live: LiveState;
  session: CompileSession | null;
  /** Reports edits, before the state is updated. */
  handleEdit: (latex: string, changes: TextChange[]) => void;
}

/** @param isOn the source is visible: the session is open from then on */
export function useLivePreview({ state, dispatch }: Converter, isOn: boolean): LivePreview {
  const session = useCompileSession(isOn);
  const live = useLiveState(session, wholeState);

  const { latex, figures, provenLatex, isPdfAssistantLoading } = state;
  const latest = useRef({ figures, provenLatex });
  latest.current = { figures, provenLatex };
  // other changes of the text (a change request, a new delivery) arrive here; typed text is already known
  useEffect(() => {
    if (latex !== null && !isPdfAssistantLoading) session?.update(latex, figures);
  }, [session, latex, figures, isPdfAssistantLoading]);
  const handleEdit = useCallback(
    (text: string, changes: TextChange[]) => session?.update(text, latest.current.figures, changes),
    [session],
  );

  const { pdf } = live;
  /** The text whose first pass is shown: its last pass must follow. */
  const unfinished = useRef<string | null>(null);
  useEffect(() => {
    if (pdf === null) return;
    const isKnown = pdf.latex === latest.current.provenLatex && pdf.latex !== unfinished.current;
    unfinished.current = pdf.isFinal ? null : pdf.latex;
    // already shown, perhaps with a watermark
    if (isKnown) return;
    const blob = new Blob([pdf.bytes], { type: 'application/pdf' });
    dispatch({ type: 'livePdfArrived', latex: pdf.latex, pdfUrl: createPdfAddress(blob) });
  }, [pdf, dispatch]);

  return { live, session, handleEdit };
}
