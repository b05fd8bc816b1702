import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ErrorObject } from '#shared/api/errors.ts';
import type { VersionSummary } from '#shared/api/library.ts';
import { listVersions } from '#web/lib/api/document-api.ts';

export interface VersionsState {
  /** Newest first, as far as they were loaded. */
  versions: readonly VersionSummary[];
  isLoading: boolean;
  error: ErrorObject | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
  reload: () => Promise<unknown>;
}

const pageSize = 100;

/** The history of a document. @param version the newest known here: when it grows, the list is loaded again */
export function useVersions(documentId: string, version: number): VersionsState {
  const query = useInfiniteQuery({
    queryKey: ['document', documentId, 'versions'],
    queryFn: ({ pageParam, signal }) =>
      listVersions(documentId, { limit: pageSize, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam(last, pages) {
      const loaded = pages.reduce((sum, page) => sum + (page.ok ? page.data.versions.length : 0), 0);
      return last.ok && last.data.versions.length > 0 && loaded < last.data.total ? loaded : undefined;
    },
    staleTime: 0,
  });
  const { refetch } = query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run for each new version
  useEffect(() => void refetch(), [version, refetch]);

  const pages = query.data?.pages ?? [];
  const failed = pages.find((page) => !page.ok);
  // a save between two page loads moves the later page by a row
  const byNumber = new Map(
    pages.flatMap((page) => (page.ok ? page.data.versions : [])).map((one) => [one.version, one]),
  );
  return {
    versions: [...byNumber.values()],
    isLoading: query.isPending,
    error: failed && !failed.ok ? failed.error : null,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    reload: () => query.refetch(),
  };
}
