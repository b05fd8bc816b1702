import { useEffect, useState } from 'react';
import { errorCatalogue } from '#shared/api/errors.ts';
import { defaultDocumentLimit, useCredits } from '#web/lib/billing/credits.ts';
import { getIdentityConfig } from '#web/lib/session/identity-config.ts';
import { Notice } from '#web/ui/notice.tsx';
import { useLibrary } from '../use-library.tsx';

interface Space {
  count: number;
  limit: number;
}

function useSpace(): Space | null {
  const { library } = useLibrary();
  const credits = useCredits();
  if (!library || credits.kind === 'nobody' || credits.kind === 'loading') return null;
  // the server knows and enforces the account's own limit, even if it could not be read here
  const limit = credits.kind === 'known' ? credits.credits.documentLimit : defaultDocumentLimit;
  return { count: library.documents.length, limit };
}

/** How many documents there are, and the limit. */
export function ShelfSpace() {
  const space = useSpace();
  return (
    <div className="min-h-16 border-t border-hairline px-5 py-3.5">
      {space && (
        <>
          <p className="flex justify-between text-xs text-graphite tabular-nums">
            <span>{describeSpace(space)}</span>
          </p>
          <meter
            aria-label="Documents saved"
            min={0}
            max={Math.max(space.limit, 1)}
            value={Math.min(space.count, space.limit)}
            className="sr-only"
          />
          <div className="mt-2 h-1 overflow-hidden rounded-full bg-wash" aria-hidden="true">
            <div
              className={space.count >= space.limit ? 'h-full bg-red' : 'h-full bg-graphite'}
              style={{ width: `${Math.min(100, (space.count / Math.max(space.limit, 1)) * 100)}%` }}
            />
          </div>
        </>
      )}
    </div>
  );
}

/** The same in one line, for screens without a side bar. */
export function SpaceLine() {
  const space = useSpace();
  return (
    <p className="min-h-5 pt-4 pb-6 text-xs text-graphite tabular-nums lg:hidden">
      {space && describeSpace(space)}
    </p>
  );
}

function describeSpace({ count, limit }: Space): string {
  return `${count.toLocaleString('en-GB')} of ${limit.toLocaleString('en-GB')} documents`;
}

/** Shown while the document limit is reached. */
export function LimitNotice() {
  const space = useSpace();
  const [email, setEmail] = useState<string | null>(null);
  const isFull = space !== null && space.count >= space.limit;
  useEffect(() => {
    if (!isFull) return;
    getIdentityConfig().then(
      (config) => setEmail(config.supportEmail),
      () => undefined,
    );
  }, [isFull]);
  if (!isFull || email === null) return null;
  const [before, after] = errorCatalogue.DOCUMENT_LIMIT_EXCEEDED.text.split('{email}');
  return (
    <Notice
      tone="warning"
      className="mt-4"
      title={
        <span className="font-normal">
          {before}
          <a href={`mailto:${email}`} className="underline underline-offset-2">
            {email}
          </a>
          {after}
        </span>
      }
    />
  );
}
