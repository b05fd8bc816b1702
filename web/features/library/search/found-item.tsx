import { Star } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import type { FoundDocument, SnippetPart } from '#shared/api/search.ts';
import { retryImport } from '#web/lib/retry-import.ts';
import { describeDay, describeMoment } from '../describe-day.ts';
import { listPath } from '../library-state.ts';
import { documentAddress } from '../places.ts';
import { FirstPage } from '../shelf/first-page.tsx';
import { useLibrary } from '../use-library.tsx';
import { typesetWords } from './typeset-words.ts';

const Formula = lazy(async () => ({ default: (await retryImport(() => import('./formula.tsx'))).Formula }));

/** A found document with its matches; each links to its line. */
export function FoundItem({ document, now }: { document: FoundDocument; now: number }) {
  const { library } = useLibrary();
  const path = library ? listPath(library.folders, document.folder_id) : [];
  const [first] = document.snippets;
  return (
    <li className="flex gap-4 border-b border-hairline py-4">
      <FirstPage document={document} className="h-20 w-16 shrink-0 rounded-[3px] max-sm:hidden" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <Link
            to={documentAddress(document.id, first?.line, first?.file)}
            data-result
            className="min-w-0 rounded-sm font-medium [overflow-wrap:anywhere] hover:underline"
          >
            <Parts parts={document.title_parts} />
          </Link>
          {document.starred_at !== null && (
            <Star className="size-3.5 fill-ink" role="img" aria-label="Starred" />
          )}
          <span className="text-xs text-graphite">
            {path.length > 0 && `${path.map(({ name }) => name).join(' / ')} · `}
            <time dateTime={document.updated_at} title={describeMoment(document.updated_at)}>
              {describeDay(document.updated_at, now)}
            </time>
          </span>
        </div>
        {document.snippets.length > 0 && (
          <ul className="mt-1 -ml-2">
            {document.snippets.map((snippet) => (
              <li key={`${snippet.file} ${snippet.offset}`}>
                <Link
                  to={documentAddress(document.id, snippet.line, snippet.file)}
                  data-result
                  className="flex items-baseline gap-3 rounded-md px-2 py-1 text-sm hover:bg-wash"
                >
                  <span className="min-w-0 flex-1 [overflow-wrap:anywhere] text-ink-soft">
                    <Parts parts={snippet.parts} />
                  </span>
                  <span className="max-w-[45%] shrink-0 text-right text-xs [overflow-wrap:anywhere] text-graphite tabular-nums">
                    {snippet.file && `${snippet.file}, `}line {snippet.line}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

function Parts({ parts }: { parts: readonly SnippetPart[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change places
  return parts.map((part, index) => <Part key={index} part={part} />);
}

function Part({ part }: { part: SnippetPart }) {
  const shown =
    part.kind === 'formula' ? (
      <Suspense fallback={<code className="text-[0.85em]">{part.text}</code>}>
        <Formula tex={part.text} />
      </Suspense>
    ) : (
      typesetWords(part.text)
    );
  return part.hit ? <mark className="rounded-[3px] bg-focus/18 px-0.5 text-ink">{shown}</mark> : shown;
}
