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
  /** Jumps to a line of the source, or of the file that is named. */
  onJump: (line: number, file: string | null) => void;
  /** Names of the document's files. */
  files: readonly string[];
  /** Highlights for something selected in another view. */
  marks?: readonly PdfMark[];
  onPlace: (point: PdfPoint, kind: 'click' | 'double-click') => void;
}

/**
 * The typeset page. The last one stays while the next is being made; a PDF made despite errors is marked as
 * incomplete, and if there is none the page stays as it was.
 */
export function PagePane({ ref, page, files, onJump, marks, onPlace }: PagePaneProps) {
  const { session, pdf, pages, incomplete, report } = page;
  const status = useLiveState(session, (live) => live.status);
  const error = report?.messages.find(({ level }) => level === 'error');
  const file = error && files.includes(error.file ?? '') ? error.file : null;
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
          line={error?.line ?? null}
          file={file}
          onJump={(line) => onJump(line, file)}
        />
      )}
    </Suspense>
  );
}
