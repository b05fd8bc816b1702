import { useEffect, useMemo } from 'react';
import { Link } from 'react-router';
import { SharedDocument } from '#shared/api/library.ts';
import { callBlob, callJson } from '#web/lib/api/api-client.ts';
import { describeError } from '#web/lib/api/describe-error.ts';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { Loading } from '#web/ui/controls/loading.tsx';
import { HomeLink } from '#web/ui/pages/home-link.tsx';
import { MessagePage } from '#web/ui/pages/message-page.tsx';
import { NotOpened } from '#web/ui/pages/refused-page.tsx';
import { type PdfSource, useCurrentPdf } from './current-pdf.ts';
import { Message } from './message.tsx';
import { ViewerFrame } from './viewer-frame.tsx';

/** What a read-only link shows to anybody who has it: title and PDF. Calls from here carry no token. */
export function SharedScreen({ token }: { token: string }) {
  const source = useMemo(() => sharedPdf(token), [token]);
  const { current, reload } = useCurrentPdf(source);
  useEffect(() => {
    document.title =
      current.kind === 'known' ? `${current.facts.title} · Inkproof` : 'Shared document · Inkproof';
  }, [current]);

  if (current.kind === 'loading') return <Loading isPage />;
  if (current.kind === 'failed')
    return (
      <div className="flex min-h-dvh flex-col">
        <header className="flex border-b border-hairline px-4 py-2 sm:px-6">
          <HomeLink />
        </header>
        <main className="flex-1">
          {current.error.code === 'NOT_FOUND' ? (
            <MessagePage title="This link does not work">
              <p>It has been revoked, or was not copied completely. Ask the sender for a new one.</p>
              <Link to="/" className={buttonClass({ variant: 'outline' })}>
                Go to Inkproof
              </Link>
            </MessagePage>
          ) : (
            <NotOpened
              title="The PDF could not be opened"
              text={describeError(current.error)}
              onAgain={reload}
            />
          )}
        </main>
      </div>
    );
  return (
    <ViewerFrame title={current.facts.title} pdf={current.pdf}>
      <Message
        title="There is no PDF of this document yet"
        text="It appears here automatically as soon as there is one."
        isBusy
      />
    </ViewerFrame>
  );
}

function sharedPdf(token: string): PdfSource {
  const options = { path: { token }, isPublic: true };
  return {
    async ask(signal) {
      const answer = await callJson('GET /shared/{token}', SharedDocument, { ...options, signal });
      if (!answer.ok) return answer;
      const { title, has_pdf, page_count, updated_at } = answer.data;
      const mark = has_pdf ? `${updated_at} ${page_count}` : null;
      return { ok: true, data: { title, mark, next: has_pdf ? null : 'making' } };
    },
    fetch: (signal) =>
      callBlob('GET /shared/{token}/document.pdf', 'application/pdf', { ...options, signal }),
  };
}
