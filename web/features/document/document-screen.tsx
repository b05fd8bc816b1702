import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { ErrorObject } from '#shared/api/errors.ts';
import type { SavedDocument } from '#shared/api/library.ts';
import { describeError } from '#web/lib/api/describe-error.ts';
import { getDocument } from '#web/lib/api/document-api.ts';
import { retryImport } from '#web/lib/retry-import.ts';
import { useSession } from '#web/lib/session/use-session.ts';
import { Loading } from '#web/ui/controls/loading.tsx';
import { LogInPage } from '#web/ui/pages/log-in-page.tsx';
import { NoSuchDocument, NotOpened } from '#web/ui/pages/refused-page.tsx';

const loadEditor = () => import('./document-editor.tsx');
const DocumentEditor = lazy(async () => ({ default: (await retryImport(loadEditor)).DocumentEditor }));

interface DocumentScreenProps {
  documentId: string;
  /** The line to start at, 1-based; null for the beginning. */
  line: number | null;
  /** The file that the line is in; null for the document's own text. */
  file: string | null;
  /** For the editor's toolbar: account, light or dark. */
  site: ReactNode;
  /** Wraps everything but the editor in the site's frame. */
  frame: (content: ReactNode) => ReactNode;
}

type Opened =
  | { kind: 'loading' }
  | { kind: 'open'; document: SavedDocument; userId: string }
  | { kind: 'failed'; error: ErrorObject };

/** A document by its address: asks for a sign-in, loads it, and opens the editor. */
export function DocumentScreen({ documentId, line, file, site, frame }: DocumentScreenProps) {
  const { state, user } = useSession();
  const [opened, setOpened] = useState<Opened>({ kind: 'loading' });
  const [tries, setTries] = useState(0);
  const userId = user?.id ?? null;

  useEffect(() => {
    // a user whose session ends keeps the screen; another user does not
    if (userId === null) return;
    // a retry: runs the effect again
    void tries;
    const end = new AbortController();
    void loadEditor();
    setOpened((known) =>
      known.kind === 'open' && known.userId === userId && known.document.id === documentId
        ? known
        : { kind: 'loading' },
    );
    getDocument(documentId, end.signal).then(
      (answer) =>
        setOpened((known) => {
          if (known.kind === 'open') return known;
          return answer.ok
            ? { kind: 'open', document: answer.data, userId }
            : { kind: 'failed', error: answer.error };
        }),
      // the page was left in the meantime
      () => undefined,
    );
    return () => end.abort();
  }, [documentId, userId, tries]);

  const title = opened.kind === 'open' ? opened.document.title : 'Document';
  useEffect(() => {
    document.title = `${title} · Inkproof`;
  }, [title]);

  if (opened.kind === 'open' && opened.document.id === documentId)
    return (
      <Suspense fallback={frame(<Loading isPage />)}>
        {/* the key resets all state when another document is opened */}
        <DocumentEditor
          key={opened.document.id + opened.userId}
          userId={opened.userId}
          document={opened.document}
          line={line}
          file={file}
          site={site}
        />
      </Suspense>
    );
  if (state === 'signed-out')
    return frame(
      <LogInPage title="Log in to open this document" text="Only the account it belongs to can open it." />,
    );
  if (state === 'loading' || opened.kind !== 'failed') return frame(<Loading isPage />);
  const { error } = opened;
  if (error.code === 'NOT_FOUND') return frame(<NoSuchDocument />);
  return frame(
    <NotOpened
      title="The document could not be opened"
      text={describeError(error)}
      onAgain={() => {
        setOpened({ kind: 'loading' });
        setTries(tries + 1);
      }}
    />,
  );
}
