import { Link } from 'react-router';
import { buttonClass } from '#web/ui/button.tsx';

/** What stands where a page should be: nothing at this address, or a fault of ours. */
export function ErrorScreen({ isMissing }: { isMissing: boolean }) {
  return (
    <div className="mx-auto grid min-h-[70dvh] max-w-6xl content-center justify-items-start gap-6 px-4 py-16 sm:px-6">
      <p className="font-mono text-sm text-graphite">{isMissing ? '404' : 'Error'}</p>
      <h1 className="max-w-3xl font-serif text-4xl leading-tight font-medium tracking-tight sm:text-5xl">
        {isMissing ? 'This page is like dividing by zero... Undefined!' : 'Something of ours broke.'}
      </h1>
      <p className="max-w-[60ch] text-graphite">
        {isMissing
          ? 'There is nothing at this address.'
          : 'Your files and documents are not affected. Load the page again; if it stays like this, please write to us.'}
      </p>
      <div className="flex flex-wrap gap-3">
        <Link to="/" className={buttonClass({ variant: 'primary' })}>
          Go Home
        </Link>
        <Link to="/convert" className={buttonClass({ variant: 'outline' })}>
          Start Converting
        </Link>
      </div>
    </div>
  );
}
