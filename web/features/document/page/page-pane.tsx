import { lazy, type Ref, Suspense } from 'react';
import { useLiveState } from '#web/lib/compile-session/use-compile-session.ts';
import { retryImport } from '#web/lib/retry-import.ts';
import { Loading } from '#web/ui/pages/loading.tsx';
import type { PdfMark, PdfPoint } from '#web/ui/pdf-viewer/pdf-places.ts';
import type { PdfControls } from '#web/ui/pdf-viewer/pdf-stage.ts';
import type { LivePage } from './use-live-page.ts';

const PdfViewer = lazy(async () => ({
  default: (await retryImport(() => import('#web/ui/pdf-viewer/pdf-viewer.tsx'))).PdfViewer,
}));

interface PagePaneProps {
  ref: Ref<PdfControls>;
  page: LivePage;
  /** What is lit up because it belongs to something chosen elsewhere. */
  marks?: readonly PdfMark[];
  onPlace: (point: PdfPoint, kind: 'click' | 'double-click') => void;
}

/** The typeset page. The last good one stays while the next one is made, and while the text does not compile. */
export function PagePane({ ref, page, marks, onPlace }: PagePaneProps) {
  const { session, pdf, pages } = page;
  const isFailed = useLiveState(session, ({ status }) => status === 'failed');
  if (pdf === null)
    return isFailed ? (
      <p className="grid h-full place-items-center bg-paper-deep p-8 text-center text-graphite">
        There is no page yet: this does not compile. What is wrong is said under the source.
      </p>
    ) : (
      <div className="grid h-full bg-paper-deep">
        <Loading label="Compiling" />
      </div>
    );
  return (
    <Suspense fallback={<Loading />}>
      <PdfViewer ref={ref} pdf={pdf} pages={pages} marks={marks} onPlace={onPlace} />
    </Suspense>
  );
}
