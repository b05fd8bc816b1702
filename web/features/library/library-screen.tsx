import { type ReactNode, useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { describeError } from '#web/lib/api/describe-error.ts';
import { useSession } from '#web/lib/session/use-session.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Loading } from '#web/ui/controls/loading.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { LogInPage } from '#web/ui/pages/log-in-page.tsx';
import { LibraryDialogs } from './dialogs/library-dialogs.tsx';
import { LibraryShortcuts } from './dialogs/library-shortcuts.tsx';
import { LibraryDragAndDrop } from './drag-and-drop.tsx';
import { ExchangeHost } from './exchange/exchange-host.tsx';
import { isSearching } from './search/search-address.ts';
import { SearchBar } from './search/search-bar.tsx';
import { SearchScreen } from './search/search-screen.tsx';
import { forgetThumbnails } from './shelf/thumbnail-store.ts';
import { LimitNotice, SpaceLine } from './side/shelf-space.tsx';
import { PlaceTabs, SideBar } from './side/side-bar.tsx';
import { ToastBar } from './toast-bar.tsx';
import { LibraryProvider, useLibrary } from './use-library.tsx';
import { usePlace } from './use-place.ts';

/**
 * The library: side bar, search, and the items of the place in the address (`children`). It shows the signed-in
 * user's own data; a visitor is asked to log in.
 */
export function LibraryScreen({ children }: { children: ReactNode }) {
  const { state, user } = useSession();
  const userId = user?.id;
  useEffect(() => {
    if (userId) return forgetThumbnails;
  }, [userId]);
  if (state === 'loading') return <Loading isPage />;
  if (state !== 'signed-in' || !user)
    return (
      <LogInPage
        title="Log in to see your documents"
        text="What you convert and save is kept here with its LaTeX and its PDF, in folders, and you can find it by any word or formula in it. Only you can see it."
      />
    );
  return (
    // the key resets all state when another user signs in
    <LibraryProvider key={user.id} userId={user.id}>
      <LibraryDragAndDrop>
        <Exchange>
          <Desk>{children}</Desk>
        </Exchange>
      </LibraryDragAndDrop>
      <LibraryDialogs />
      <LibraryShortcuts />
      <ToastBar />
    </LibraryProvider>
  );
}

/** New documents go into the open folder. */
function Exchange({ children }: { children: ReactNode }) {
  const { reload } = useLibrary();
  const place = usePlace();
  return (
    <ExchangeHost folderId={place.kind === 'folder' ? place.id : null} onChanged={reload}>
      {children}
    </ExchangeHost>
  );
}

function Desk({ children }: { children: ReactNode }) {
  const { library, error, isLoading, reload } = useLibrary();
  const [query] = useSearchParams();
  return (
    <div className="lg:grid lg:grid-cols-[16.5rem_minmax(0,1fr)]">
      <SideBar />
      <div className="min-w-0 px-4 sm:px-6 lg:px-8">
        <SearchBar />
        <PlaceTabs />
        <LimitNotice />
        {error && (
          <Notice
            tone="error"
            className="mt-4"
            title={describeError(error) || 'Unexpected error occurred.'}
            actions={
              <Button isBusy={isLoading} onClick={reload}>
                Try again
              </Button>
            }
          >
            {library
              ? 'The list may be out of date.'
              : 'Your documents are safe; only this list could not be shown.'}
          </Notice>
        )}
        {isSearching(query) ? <SearchScreen /> : (library || !error) && children}
        <SpaceLine />
      </div>
    </div>
  );
}
