/** The page of an open document: the saved PDF at first, then the results of the compile session. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { TextChange } from '#shared/api/compile-session.ts';
import type { Figure } from '#shared/api/conversion.ts';
import type { Engine } from '#shared/api/engine.ts';
import { getDocumentPdf } from '#web/lib/api/document-api.ts';
import type { OfferedFix } from '#web/lib/compile-session/fixes.ts';
import type { CompileSession, LiveState } from '#web/lib/compile-session/live-state.ts';
import { useCompileSession, useLiveState } from '#web/lib/compile-session/use-compile-session.ts';

interface Options {
  documentId: string;
  /** The document was opened from the trash. */
  isTrashed: boolean;
  /** There is a saved PDF, which is shown until a newer one is made. */
  hasPdf: boolean;
  engine: Engine | null;
  /** Null while they are being loaded: nothing is compiled before. */
  figures: readonly Figure[] | null;
  getText: () => string;
}

export interface LivePage {
  session: CompileSession | null;
  /** Null if there is none yet. */
  pdf: Uint8Array<ArrayBuffer> | null;
  /** The PDF is of the newest compiled text, not of an earlier version. */
  isLive: boolean;
  /** For an incomplete PDF: why, and the line of the first error; null for a good one. */
  incomplete: LiveState['incomplete'];
  pages: LiveState['pages'];
  report: LiveState['report'];
  /** The fix for one of the report's messages, if one works. */
  fix: Extract<OfferedFix, { kind: 'fix' }> | null;
  /** Reports every change of the text. */
  tellText: (latex: string, changes: TextChange[]) => void;
}

export function useLivePage(options: Options): LivePage {
  const { documentId, hasPdf, engine, figures, getText } = options;
  const session = useCompileSession(figures !== null, {
    engine: engine ?? undefined,
    // a document already in the trash is only compiled for viewing
    documentId: options.isTrashed ? undefined : documentId,
  });
  const latest = useRef({ figures, getText });
  latest.current = { figures, getText };
  useEffect(() => {
    const latex = latest.current.getText();
    // an empty text has no page
    if (session && figures && latex !== '') session.update(latex, figures as Figure[]);
  }, [session, figures]);
  const tellText = useCallback(
    (latex: string, changes: TextChange[]) => {
      if (latex !== '') session?.update(latex, (latest.current.figures ?? []) as Figure[], changes);
    },
    [session],
  );

  const [kept, setKept] = useState<Uint8Array<ArrayBuffer> | null>(null);
  useEffect(() => {
    if (!hasPdf) return;
    const end = new AbortController();
    getDocumentPdf(documentId, end.signal).then(
      async (answer) => answer.ok && setKept(new Uint8Array(await answer.data.arrayBuffer())),
      // the page was closed
      () => undefined,
    );
    return () => end.abort();
  }, [documentId, hasPdf]);

  const live = useLiveState(session, ({ pdf }) => pdf?.bytes ?? null);
  // a session with another engine starts without a PDF: the last good page stays
  const last = useRef(live);
  if (live) last.current = live;
  const incomplete = useLiveState(session, (state) => state.incomplete);
  return {
    session,
    pdf: incomplete?.bytes ?? live ?? last.current ?? kept,
    isLive: incomplete !== null || live !== null,
    incomplete,
    pages: useLiveState(session, ({ pages }) => pages),
    report: useLiveState(session, ({ report }) => report),
    fix: useLiveState(session, ({ fix }) => (fix?.kind === 'fix' ? fix : null)),
    tellText,
  };
}
