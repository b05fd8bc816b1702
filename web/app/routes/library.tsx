import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet } from 'react-router';
import { LibraryScreen } from '#web/features/library/library-screen.tsx';
import { queryClient } from '#web/lib/api/query-client.ts';

/** The layout of the library, kept when going from one place to another. */
export default function LibraryRoute() {
  return (
    <QueryClientProvider client={queryClient}>
      <LibraryScreen>
        <Outlet />
      </LibraryScreen>
    </QueryClientProvider>
  );
}
