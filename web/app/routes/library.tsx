import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet } from 'react-router';
import { LibraryScreen } from '#web/features/library/library-screen.tsx';
import { queryClient } from '#web/lib/api/query-client.ts';

/** What all places of the library stand in: going from one to another keeps it. */
export default function LibraryRoute() {
  return (
    <QueryClientProvider client={queryClient}>
      <LibraryScreen>
        <Outlet />
      </LibraryScreen>
    </QueryClientProvider>
  );
}
