/** The converter's document in a compile session: what is typed is compiled, and what is good is shown. */
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
  /** To be told of what is typed, before the state is. */
  handleEdit: (latex: string, changes: TextChange[]) => void;
}

/** @param isOn the source is being looked at: from then on the session is open */
export function useLivePreview({ state, dispatch }: Converter, isOn: boolean): LivePreview {
  const session = useCompileSession(isOn);
  const live = useLiveState(session, wholeState);

  const { latex, figures, provenLatex, isPdfAssistantLoading } = state;
  const latest = useRef({ figures, provenLatex });
  latest.current = { figures, provenLatex };
  // what changes the text otherwise (a change request, a new delivery) comes this way; typed text is there already
  useEffect(() => {
    if (latex !== null && !isPdfAssistantLoading) session?.update(latex, figures);
  }, [session, latex, figures, isPdfAssistantLoading]);
  const handleEdit = useCallback(
    (text: string, changes: TextChange[]) => session?.update(text, latest.current.figures, changes),
    [session],
  );

  const { pdf } = live;
  /** The text whose first pass is on screen: its last one has to come too. */
  const unfinished = useRef<string | null>(null);
  useEffect(() => {
    if (pdf === null) return;
    const isKnown = pdf.latex === latest.current.provenLatex && pdf.latex !== unfinished.current;
    unfinished.current = pdf.isFinal ? null : pdf.latex;
    // shown already, perhaps with a watermark on it
    if (isKnown) return;
    const blob = new Blob([pdf.bytes], { type: 'application/pdf' });
    dispatch({ type: 'livePdfArrived', latex: pdf.latex, pdfUrl: createPdfAddress(blob) });
  }, [pdf, dispatch]);

  return { live, session, handleEdit };
}
