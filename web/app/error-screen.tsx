import { isRouteErrorResponse, Link } from 'react-router';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { MessagePage } from '#web/ui/pages/message-page.tsx';
import undefinedUrl from './undefined.svg?no-inline';

/** True if a route reports that there is nothing at its address. */
export function isMissing(error: unknown): boolean {
  return isRouteErrorResponse(error) && error.status === 404;
}

/** Shown in place of a page: nothing at this address, or an error on our side. */
export function ErrorScreen({ isMissing }: { isMissing: boolean }) {
  return (
    <MessagePage
      mark={isMissing ? '404' : 'Error'}
      picture={isMissing ? <DivisionByZero /> : undefined}
      title={
        isMissing ? 'This page is like dividing by zero... Undefined!' : 'Something went wrong on our side.'
      }
    >
      <p>
        {isMissing
          ? 'There is nothing at this address.'
          : 'Your files and documents are not affected. Reload the page. If the problem persists, please write to us.'}
      </p>
      <div className="flex flex-wrap gap-3">
        <Link to="/" className={buttonClass({ variant: 'primary', size: 'large' })}>
          Go Home
        </Link>
        <Link to="/convert" className={buttonClass({ variant: 'outline', size: 'large' })}>
          Start Converting
        </Link>
      </div>
    </MessagePage>
  );
}

/** A division by zero in handwriting, on squared paper. */
function DivisionByZero() {
  return (
    <div
      aria-hidden="true"
      className="squared-paper w-full max-w-md overflow-hidden rounded-2xl border border-hairline shadow-(--lift) lg:justify-self-end forced-colors:hidden"
    >
      <div
        className="aspect-4/3 bg-(--ink-wet)"
        style={{ mask: `url("${undefinedUrl}") center / contain no-repeat` }}
      />
    </div>
  );
}
