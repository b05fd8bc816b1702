import { QueryClient } from '@tanstack/react-query';

/** Calls return errors as values and never throw, so each query decides about its own retries. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 5 * 60_000 } },
});
