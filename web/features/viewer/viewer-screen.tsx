import { type ReactNode, useEffect, useMemo } from 'react';
import { Link } from 'react-router';
import { describeError } from '#web/lib/api/describe-error.ts';
import { getDocument, getDocumentPdf } from '#web/lib/api/document-api.ts';
import { useSession } from '#web/lib/session/use-session.ts';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { Loading } from '#web/ui/controls/loading.tsx';
import { LogInPage } from '#web/ui/pages/log-in-page.tsx';
import { NoSuchDocument, NotOpened } from '#web/ui/pages/refused-page.tsx';
import { type PdfSource, useCurrentPdf } from './current-pdf.ts';
import { Message } from './message.tsx';
import { ViewerFrame } from './viewer-frame.tsx';

interface ViewerScreenProps {
  documentId: string;
  /** Wraps everything but the PDF in the site's frame. */
  frame: (content: ReactNode) => ReactNode;
}

/** A document's PDF, for its owner. */
export function ViewerScreen({ documentId, frame }: ViewerScreenProps) {
  const { state, user } = useSession();
  const userId = user?.id ?? null;
  const source = useMemo(
    () => (state === 'signed-in' && userId !== null ? savedPdf(documentId) : null),
    [documentId, state, userId],
  );
  const { current, reload } = useCurrentPdf(source);
  const title = current.kind === 'known' ? current.facts.title : 'PDF';
  useEffect(() => {
    document.title = `${title} · Inkproof`;
  }, [title]);

  if (state === 'signed-out')
    return frame(
      <LogInPage title="Log in to open this document" text="Only the account it belongs to can open it." />,
    );
  if (state === 'loading' || current.kind === 'loading') return <Loading isPage />;
  if (current.kind === 'failed')
    return frame(
      current.error.code === 'NOT_FOUND' ? (
        <NoSuchDocument />
      ) : (
        <NotOpened title="The PDF could not be opened" text={describeError(current.error)} onAgain={reload} />
      ),
    );

  const { facts, pdf } = current;
  const edit = `/documents/${documentId}`;
  return (
    <ViewerFrame
      title={facts.title}
      back={{ to: edit, label: 'Back to the document' }}
      edit={edit}
      pdf={pdf}
      note={pdf !== null && facts.next !== null ? notes[facts.next] : null}
    >
      <Message {...absences[facts.next ?? 'making']}>
        <Link to={edit} className={buttonClass({ variant: facts.next === 'failed' ? 'primary' : 'outline' })}>
          Open in the editor
        </Link>
      </Message>
    </ViewerFrame>
  );
}

const notes = {
  making: 'The text has changed since. The new PDF appears here automatically.',
  failed: 'The text has changed since, and does not compile now. This is the last PDF that did.',
  never: 'The text has changed since. Documents in the trash are not compiled.',
};

/** Why there is no PDF at all. */
const absences = {
  making: {
    title: 'Creating the PDF',
    text: 'It appears here automatically, a few seconds after the last change.',
    isBusy: true,
  },
  failed: {
    title: 'There is no PDF of this document yet',
    text: 'Its text does not compile. The editor shows what is wrong and at which line.',
  },
  never: {
    title: 'There is no PDF of this document',
    text: 'It is in the trash, where documents are not compiled. Restore it first.',
  },
};

function savedPdf(documentId: string): PdfSource {
  return {
    async ask(signal) {
      const answer = await getDocument(documentId, signal);
      if (!answer.ok) return answer;
      const { title, version, pdf_version, compiled_version, page_count, trashed_at } = answer.data;
      const unmade = trashed_at === null ? 'making' : 'never';
      const next = compiled_version < version ? unmade : pdf_version === version ? null : 'failed';
      // a PDF recreated from the same text, for new figures or another engine, differs only in that it was waited for
      const mark = pdf_version === null ? null : `${pdf_version} ${page_count} ${next === 'making'}`;
      return { ok: true, data: { title, mark, next } };
    },
    fetch: (signal) => getDocumentPdf(documentId, signal),
  };
}
