import { QueryClient } from '@tanstack/react-query';

/** Calls answer with values, never by throwing, so a retry is each query's own decision. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 5 * 60_000 } },
});
