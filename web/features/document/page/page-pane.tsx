import { lazy, type Ref, Suspense } from 'react';
import { useLiveState } from '#web/lib/compile-session/use-compile-session.ts';
import { retryImport } from '#web/lib/retry-import.ts';
import { Loading } from '#web/ui/controls/loading.tsx';
import { IncompleteBar } from '#web/ui/pdf-viewer/incomplete-bar.tsx';
import type { PdfMark, PdfPoint } from '#web/ui/pdf-viewer/pdf-places.ts';
import type { PdfControls } from '#web/ui/pdf-viewer/pdf-stage.ts';
import type { LivePage } from './use-live-page.ts';

const PdfViewer = lazy(async () => ({
  default: (await retryImport(() => import('#web/ui/pdf-viewer/pdf-viewer.tsx'))).PdfViewer,
}));

interface PagePaneProps {
  ref: Ref<PdfControls>;
  page: LivePage;
  /** To a line of the source. */
  onJump: (line: number) => void;
  /** What is lit up because it belongs to something chosen elsewhere. */
  marks?: readonly PdfMark[];
  onPlace: (point: PdfPoint, kind: 'click' | 'double-click') => void;
}

/**
 * The typeset page. The last one stays while the next one is made; what TeX makes of a text with errors is marked as
 * incomplete, and what it makes nothing of leaves the page as it was.
 */
export function PagePane({ ref, page, onJump, marks, onPlace }: PagePaneProps) {
  const { session, pdf, pages, incomplete, report } = page;
  const status = useLiveState(session, (live) => live.status);
  if (pdf === null)
    return status === 'failed' || status === 'stopped' ? (
      <p className="grid h-full place-items-center bg-paper-deep p-8 text-center text-graphite">
        {status === 'stopped'
          ? 'Stopped. There is no page yet.'
          : 'There is no page yet: this does not compile. The errors are listed below the source.'}
      </p>
    ) : (
      <div className="grid h-full bg-paper-deep">
        <Loading label="Compiling" />
      </div>
    );
  return (
    <Suspense fallback={<Loading />}>
      <PdfViewer ref={ref} pdf={pdf} pages={pages} marks={marks} onPlace={onPlace} />
      {incomplete && (
        <IncompleteBar
          pageCount={incomplete.pageCount}
          isCutShort={incomplete.isCutShort}
          line={report?.messages.find(({ level }) => level === 'error')?.line ?? null}
          onJump={onJump}
        />
      )}
    </Suspense>
  );
}
