import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Star } from 'lucide-react';
import { type KeyboardEvent, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { ErrorObject } from '#shared/api/errors.ts';
import type { SearchResults } from '#shared/api/search.ts';
import { describeError } from '#web/lib/api/describe-error.ts';
import { search as askServer } from '#web/lib/api/library-api.ts';
import { useSession } from '#web/lib/session/use-session.ts';
import { cn } from '#web/ui/cn.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Empty } from '../empty-place.tsx';
import { buildTree, type FolderNode } from '../library-state.ts';
import { useLibrary } from '../use-library.tsx';
import { FoundItem } from './found-item.tsx';
import { type Age, ages, readSearch, type SearchState, toQuery, writeSearch } from './search-address.ts';
import { focusResult } from './walk-results.ts';

class SearchRefused extends Error {
  readonly error: ErrorObject;
  constructor(error: ErrorObject) {
    super(error.error);
    this.error = error;
  }
}

const pageLength = 20;

/** Search results, best first, updated while typing. */
export function SearchScreen() {
  const { user } = useSession();
  const [address, setAddress] = useSearchParams();
  const state = readSearch(address);
  const now = useMemo(() => Date.now(), []);
  const request = toQuery(state, now);
  const query = useInfiniteQuery<SearchResults, SearchRefused, { pages: SearchResults[] }, unknown[], number>(
    {
      queryKey: ['library', user?.id, 'search', request],
      queryFn: async ({ signal, pageParam }) => {
        const answer = await askServer({ ...request, limit: pageLength, offset: pageParam }, signal);
        if (!answer.ok) throw new SearchRefused(answer.error);
        return answer.data;
      },
      initialPageParam: 0,
      getNextPageParam: (last, all) => (last.has_more ? all.length * pageLength : undefined),
      // avoids a flash between two keystrokes
      placeholderData: keepPreviousData,
      staleTime: 10_000,
    },
  );
  const pages = query.data?.pages ?? [];
  const [first] = pages;
  const found = pages.flatMap(({ documents }) => documents);
  const change = (part: Partial<SearchState>) =>
    setAddress((known) => writeSearch(known, { ...readSearch(known), ...part }), {
      replace: true,
      preventScrollReset: true,
    });
  const hasFilter = state.folder !== null || state.age !== 'any' || state.isStarred;
  const handleKey = (event: KeyboardEvent) => {
    const isDown = event.key === 'ArrowDown';
    if (!isDown && event.key !== 'ArrowUp') return;
    if (!(event.target as HTMLElement).hasAttribute('data-result')) return;
    event.preventDefault();
    if (!focusResult(isDown ? 'next' : 'previous') && !isDown)
      document.querySelector<HTMLElement>('[data-search-field]')?.focus();
  };

  return (
    <div className="max-w-3xl pt-3 pb-16">
      <h1 className="sr-only">Search</h1>
      <Filters state={state} onChange={change} />
      <p role="status" className="mt-4 min-h-6 text-sm text-graphite tabular-nums">
        {first && !query.isError && describeCount(first)}
      </p>
      {query.isError && (
        <Notice
          tone="error"
          className="mt-2"
          title={describeError(query.error.error) || 'Unexpected error occurred.'}
          actions={
            <Button isBusy={query.isFetching} onClick={() => void query.refetch()}>
              Try again
            </Button>
          }
        />
      )}
      {first && found.length === 0 && !query.isError && (
        <div className="mt-2">
          <Empty
            title="Nothing found"
            text={
              hasFilter
                ? 'Nothing found here. It may be in another folder, or older.'
                : state.formula !== null
                  ? 'No document has this formula, whatever its variables are called. Try a shorter part of it.'
                  : 'No document has all of these words. Try fewer, or the beginning of one; typos are tolerated.'
            }
          >
            {hasFilter && (
              <Button onClick={() => change({ folder: null, age: 'any', isStarred: false })}>
                Search everywhere
              </Button>
            )}
          </Empty>
        </div>
      )}
      <ol
        aria-label="Found documents"
        aria-busy={query.isPlaceholderData}
        onKeyDown={handleKey}
        className="mt-1"
      >
        {found.map((document) => (
          <FoundItem key={document.id} document={document} now={now} />
        ))}
      </ol>
      {query.hasNextPage && (
        <Button className="mt-4" isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  );
}

function describeCount({ total, has_more, took_ms }: SearchResults): string {
  if (total === 0) return '';
  const count = `${total.toLocaleString('en-GB')} ${total === 1 ? 'document' : 'documents'}`;
  return `${has_more && total >= 200 ? `More than ${count}` : count}, in ${Math.max(1, Math.round(took_ms))} ms`;
}

const ageNames: Record<Age, string> = {
  any: 'Any time',
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last month',
  year: 'Last year',
};

function Filters({
  state,
  onChange,
}: {
  state: SearchState;
  onChange: (part: Partial<SearchState>) => void;
}) {
  const { library } = useLibrary();
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="sr-only">Filters</legend>
      <Select
        size="small"
        aria-label="Folder"
        value={state.folder ?? ''}
        onChange={(event) => onChange({ folder: event.target.value || null })}
        className="max-w-52"
      >
        <option value="">All folders</option>
        <option value="none">In no folder</option>
        {library &&
          flatten(buildTree(library)).map(({ folder, depth }) => (
            <option key={folder.id} value={folder.id}>
              {`${'\u2003'.repeat(depth - 1)}${folder.name}`}
            </option>
          ))}
      </Select>
      <Select
        size="small"
        aria-label="Changed"
        value={state.age}
        onChange={(event) => onChange({ age: ages.find((age) => age === event.target.value) ?? 'any' })}
        className="max-w-52"
      >
        {ages.map((age) => (
          <option key={age} value={age}>
            {ageNames[age]}
          </option>
        ))}
      </Select>
      <button
        type="button"
        aria-pressed={state.isStarred}
        onClick={() => onChange({ isStarred: !state.isStarred })}
        className={buttonClass({
          variant: 'outline',
          size: 'small',
          className: cn('font-normal', state.isStarred && 'border-ink bg-wash'),
        })}
      >
        <Star className={cn('size-4', state.isStarred && 'fill-ink')} />
        Starred
      </button>
    </fieldset>
  );
}

function flatten(tree: readonly FolderNode[]): FolderNode[] {
  return tree.flatMap((node) => [node, ...flatten(node.children)]);
}
