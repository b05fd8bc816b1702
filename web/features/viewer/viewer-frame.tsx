import { ArrowLeft, Pencil } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { retryImport } from '#web/lib/retry-import.ts';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { Loading } from '#web/ui/controls/loading.tsx';
import { Mark } from '#web/ui/mark.tsx';

// pdf.js is loaded only once there is a PDF
const PdfView = lazy(async () => ({ default: (await retryImport(() => import('./pdf-view.tsx'))).PdfView }));

interface ViewerFrameProps {
  title: string;
  /** Default: the site's front page. */
  back?: { to: string; label: string };
  /** The editor's address, for users who may change the document. */
  edit?: string;
  /** Null: the children are shown instead. */
  pdf: Blob | null;
  /** A note about this PDF. */
  note?: string | null;
  children: ReactNode;
}

/** The viewer's window: a toolbar with the title, and below it the PDF or the children. */
export function ViewerFrame({ title, back, edit, pdf, note = null, children }: ViewerFrameProps) {
  /** Slots for the view's controls. */
  const [middle, setMiddle] = useState<HTMLElement | null>(null);
  const [right, setRight] = useState<HTMLElement | null>(null);
  return (
    <div className="flex h-dvh flex-col bg-paper">
      <header className="flex h-14 shrink-0 items-center gap-1 border-b border-hairline bg-paper px-2 sm:gap-2 sm:px-3">
        {back ? (
          <Link
            to={back.to}
            aria-label={back.label}
            title={back.label}
            className="inline-grid size-10 shrink-0 pointer-coarse:size-11 place-items-center rounded-md text-graphite hover:bg-wash hover:text-ink"
          >
            <ArrowLeft className="size-4" />
          </Link>
        ) : (
          <Link
            to="/"
            aria-label="Inkproof, home"
            className="inline-grid size-10 shrink-0 pointer-coarse:size-11 place-items-center rounded-md hover:bg-wash"
          >
            <Mark className="size-6" />
          </Link>
        )}
        <h1 className="min-w-0 flex-1 basis-0 truncate text-[0.9375rem] font-medium" title={title}>
          {title}
        </h1>
        <div ref={setMiddle} className="flex shrink-0 items-center max-md:hidden" />
        <div className="flex min-w-0 flex-1 basis-0 items-center justify-end gap-0.5 max-md:flex-none">
          <div ref={setRight} className="flex items-center gap-0.5" />
          {edit && (
            <Link
              to={edit}
              className={buttonClass({
                size: 'small',
                className: 'ml-1 max-sm:size-10 max-sm:px-0 pointer-coarse:max-sm:size-11',
              })}
            >
              <Pencil className="size-4" aria-hidden="true" />
              <span className="max-sm:sr-only">Edit</span>
            </Link>
          )}
        </div>
      </header>
      <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
        {note !== null && (
          <p
            role="status"
            className="shrink-0 border-b border-hairline bg-page px-4 py-2 text-center text-[0.8125rem] text-graphite"
          >
            {note}
          </p>
        )}
        {pdf === null ? (
          children
        ) : (
          <Suspense fallback={<Loading />}>
            <PdfView title={title} pdf={pdf} middle={middle} right={right} />
          </Suspense>
        )}
      </main>
    </div>
  );
}
