import { Code, Eye } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { ConversionPage } from '#shared/api/conversion.ts';
import { describeError } from '../../../lib/api/describe-error.ts';
import { retryImport } from '../../../lib/retry-import.ts';
import { cn } from '../../../ui/cn.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Spinner } from '../../../ui/controls/loading.tsx';
import { ScrollArea } from '../../../ui/controls/scroll-area.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Pane, PaneTitle } from '../../../ui/pane.tsx';
import { Progress } from '../../../ui/progress.tsx';
import type { ConverterState } from '../run/converter-state.ts';

/** Loads the page preview; requested early, it is ready when the first page is. */
export const loadPagePreview = () => import('../preview/page-preview.tsx');
const PagePreview = lazy(async () => ({ default: (await retryImport(loadPagePreview)).PagePreview }));

interface ReadingPanelProps {
  state: ConverterState;
  /** The server's, or the tray's until the server has counted them. */
  pages: ConversionPage[];
  selected: number;
  onSelect: (number: number) => void;
  onRetry: (number: number) => void;
  onCancel: () => void;
  /** After a failure: back to the pages as they were added, if the browser still has them. */
  onBack: () => void;
  hasTray: boolean;
  className?: string;
}

/** The running conversion: its progress, and a preview of every page that has been read. */
export function ReadingPanel(props: ReadingPanelProps) {
  const { state, pages, selected, onSelect, onRetry, onCancel, onBack, hasTray, className } = props;
  const isOver = !state.loading;
  const progress = describeProgress(state);

  return (
    <Pane
      label="LaTeX and PDF"
      className={className}
      header={
        <>
          <PaneTitle>LaTeX and PDF</PaneTitle>
          {!isOver && (
            <Button variant="quiet" size="small" className="-mr-3 ml-auto" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </>
      }
      bodyClassName="flex flex-col"
    >
      <div className="grid shrink-0 gap-2 border-b border-hairline px-4 py-3">
        {isOver ? (
          <Ending state={state} onBack={onBack} hasTray={hasTray} />
        ) : (
          <>
            <div className="flex items-baseline justify-between gap-4 text-sm">
              <p role="status" className="font-medium">
                {progress.text}
              </p>
              <p className="text-graphite tabular-nums">{progress.figure}</p>
            </div>
            <Progress value={progress.value} label={state.uploading ? 'Upload' : 'Pages read'} />
          </>
        )}
        {state.isOffline && !isOver && (
          <p role="status" className="text-[0.8125rem] text-graphite">
            The connection was lost. The conversion continues; this page reconnects by itself.
          </p>
        )}
      </div>
      <PageSheets pages={pages} selected={selected} onSelect={onSelect} onRetry={onRetry} />
    </Pane>
  );
}

function describeProgress(state: ConverterState): { text: string; figure: string; value: number } {
  if (state.uploading)
    return { text: 'Uploading', figure: `${state.uploadProgress} %`, value: state.uploadProgress };
  const total = state.pages.length;
  if (total === 0) return { text: 'Opening your pages', figure: '', value: 0 };
  const done = state.pages.filter((page) => page.state === 'read' || page.state === 'failed').length;
  const figure = `${done} of ${total}`;
  const value = (100 * done) / total;
  if (state.finishing) return { text: 'Compiling the document', figure, value: 100 };
  const reading = state.pages.filter((page) => page.state === 'reading').map((page) => page.number);
  if (reading.length === 0)
    return { text: done === total ? 'All pages have been read' : 'Waiting to be read', figure, value };
  const [first, ...others] = reading;
  return {
    text:
      others.length > 1
        ? `Reading ${reading.length} pages`
        : others.length > 0
          ? `Reading pages ${first} and ${others[0]}`
          : `Reading page ${first}`,
    figure,
    value,
  };
}

function Ending({ state, onBack, hasTray }: { state: ConverterState; onBack: () => void; hasTray: boolean }) {
  const back = (
    <Button size="small" onClick={onBack}>
      {hasTray ? 'Back to the pages' : 'Start again'}
    </Button>
  );
  if (state.conversionState === 'cancelled')
    return <Notice tone="info" title="The conversion was cancelled." actions={back} />;
  if (state.conversionState === 'expired')
    return (
      <Notice tone="info" title="This conversion has expired." actions={back}>
        Uploads are deleted an hour after the last attempt. Please send the file again.
      </Notice>
    );
  return (
    <Notice tone="error" title={state.error || 'Unexpected error occurred.'} actions={back}>
      {state.warnings.length > 0 && (
        <ul className="list-disc space-y-1 pl-4">
          {state.warnings.map((warning) => (
            <li key={`${warning.page}${warning.code}${warning.message}`}>{warning.message}</li>
          ))}
        </ul>
      )}
      {state.errorObj?.request_id && <p className="pt-1 text-xs">Reference {state.errorObj.request_id}</p>}
    </Notice>
  );
}

interface PageSheetsProps {
  pages: ConversionPage[];
  selected: number;
  onSelect: (number: number) => void;
  onRetry: (number: number) => void;
}

function PageSheets({ pages, selected, onSelect, onRetry }: PageSheetsProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const sheet = box.current?.querySelector<HTMLElement>(`[data-sheet="${selected}"]`);
    if (sheet && box.current) box.current.scrollTop = sheet.offsetTop - 16;
  }, [selected]);
  return (
    <ScrollArea
      ref={box}
      label="Typeset pages"
      className="relative min-h-0 flex-1 overflow-y-auto bg-paper-deep p-4"
    >
      <ol className="mx-auto grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
        {pages.map((page) => (
          <li key={page.number} data-sheet={page.number}>
            <PageSheet page={page} onSelect={onSelect} onRetry={onRetry} />
          </li>
        ))}
      </ol>
      <p className="sr-only" role="status">
        {lastArrival(pages)}
      </p>
    </ScrollArea>
  );
}

function lastArrival(pages: ConversionPage[]): string {
  const read = pages.filter((page) => page.state === 'read').length;
  return read > 0 ? `${read} of ${pages.length} pages have been read.` : '';
}

function PageSheet({
  page,
  onSelect,
  onRetry,
}: { page: ConversionPage } & Pick<PageSheetsProps, 'onSelect' | 'onRetry'>) {
  const [isSource, setIsSource] = useState(false);
  const isEmpty = page.state === 'waiting' || page.state === 'reading';
  return (
    <article
      aria-label={`Page ${page.number}`}
      className={cn(
        'rounded-lg border border-hairline',
        isEmpty ? 'border-dashed' : 'animate-settle bg-page',
        page.state === 'failed' && 'border-red/40',
      )}
    >
      <header className="flex min-h-10 items-center gap-2 px-4 text-[0.8125rem] text-graphite">
        <button
          type="button"
          onClick={() => onSelect(page.number)}
          className="min-h-10 rounded font-medium pointer-coarse:min-h-11 tabular-nums hover:text-ink hover:underline"
        >
          Page {page.number}
        </button>
        {page.state === 'waiting' && <span>waiting</span>}
        {page.state === 'reading' && (
          <span className="flex items-center gap-2">
            being read <Spinner className="size-3.5" />
          </span>
        )}
        {page.state === 'read' && page.latex && (
          <Button
            variant="quiet"
            size="small"
            className="-mr-2 ml-auto"
            aria-pressed={isSource}
            icon={isSource ? <Eye className="size-3.5" /> : <Code className="size-3.5" />}
            onClick={() => setIsSource(!isSource)}
          >
            {isSource ? 'Preview' : 'LaTeX'}
          </Button>
        )}
      </header>
      {page.state === 'failed' && (
        <div className="grid justify-items-start gap-3 px-4 pb-4 text-sm">
          <p>
            {page.error ? describeError(page.error) : 'This page could not be read.'} The other pages are
            kept.
          </p>
          <Button size="small" onClick={() => onRetry(page.number)}>
            Read it again
          </Button>
        </div>
      )}
      {page.state === 'read' && (
        <div className="px-4 pb-4">
          {isSource ? (
            <pre className="overflow-x-auto font-mono text-[0.8125rem] leading-5 whitespace-pre-wrap">
              {page.latex}
            </pre>
          ) : (
            <Suspense fallback={<p className="text-sm text-graphite">Typesetting the page</p>}>
              <PagePreview latex={page.latex ?? ''} />
            </Suspense>
          )}
          {page.warnings.length > 0 && (
            <ul className="mt-4 space-y-1 border-t border-hairline pt-3 text-[0.8125rem] text-graphite">
              {page.warnings.map((warning) => (
                <li key={warning.code + warning.message}>{warning.message}</li>
              ))}
            </ul>
          )}
        </div>
      )}
    </article>
  );
}
