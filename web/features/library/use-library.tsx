/**
 * The signed-in user's library, for all of its screens: its items (the server's last state, with pending actions on
 * top), the actions, the selection, and the open dialog.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { ErrorObject } from '#shared/api/errors.ts';
import { loadLibrary } from '#web/lib/api/library-api.ts';
import { createLibraryActions, type LibraryActions } from './library-actions.ts';
import type { Items, Library } from './library-state.ts';
import { createPendingPatches } from './pending-patches.ts';
import { type Preferences, readPreferences, writePreferences } from './preferences.ts';
import { createToastStore, type ToastStore } from './toast-store.ts';

/** The dialogs over the library. */
export type OpenDialog =
  | { kind: 'new-folder'; parentId: string | null }
  | { kind: 'move'; items: Items }
  /** Documents in the trash, for good; or folders, whose documents go to the trash. */
  | { kind: 'delete'; items: Items }
  | { kind: 'shortcuts' };

export interface LibraryContext {
  /** Null until it is loaded for the first time. */
  library: Library | null;
  /** Why the last load failed; the earlier state stays. */
  error: ErrorObject | null;
  isLoading: boolean;
  reload: () => void;
  actions: LibraryActions;
  toasts: ToastStore;
  preferences: Preferences;
  setPreferences: (change: Partial<Preferences>) => void;
  dialog: OpenDialog | null;
  openDialog: (dialog: OpenDialog | null) => void;
  /** What is being dragged, or null. */
  dragged: Items | null;
  setDragged: (items: Items | null) => void;
}

const Context = createContext<LibraryContext | null>(null);

export function useLibrary(): LibraryContext {
  const context = use(Context);
  if (!context) throw new Error('useLibrary needs a LibraryProvider above it.');
  return context;
}

class LibraryUnread extends Error {
  readonly error: ErrorObject;
  constructor(error: ErrorObject) {
    super(error.error);
    this.error = error;
  }
}

/** A PDF is created some seconds after a change; how long after the last change the list is polled for it, in ms. */
const freshMs = 60_000;
const freshPollMs = 4_000;

export function LibraryProvider({ userId, children }: { userId: string; children: ReactNode }) {
  const queries = useQueryClient();
  const queryKey = useMemo(() => ['library', userId], [userId]);
  const query = useQuery<Library, LibraryUnread>({
    queryKey,
    queryFn: async ({ signal }) => {
      const answer = await loadLibrary(signal);
      if (!answer.ok) throw new LibraryUnread(answer.error);
      return answer.data;
    },
    staleTime: 0,
    // another tab or the editor may have changed something
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) => (state.data && awaitsPicture(state.data) ? freshPollMs : false),
  });

  const [pending] = useState(createPendingPatches);
  const [toasts] = useState(createToastStore);
  const patches = useSyncExternalStore(pending.subscribe, pending.list, pending.list);
  const library = useMemo(
    () => (query.data ? patches.reduce((known, patch) => patch(known), query.data) : null),
    [query.data, patches],
  );
  const shown = useRef(library);
  shown.current = library;
  const announce = useAnnouncements(userId, () => void queries.invalidateQueries({ queryKey }));
  const actions = useMemo(
    () =>
      createLibraryActions({
        queries,
        queryKey,
        pending,
        toasts,
        getLibrary: () => shown.current,
        announce,
      }),
    [queries, queryKey, pending, toasts, announce],
  );

  const [preferences, putPreferences] = useState(readPreferences);
  const setPreferences = useCallback(
    (change: Partial<Preferences>) => putPreferences((known) => ({ ...known, ...change })),
    [],
  );
  useEffect(() => writePreferences(preferences), [preferences]);
  const [dialog, openDialog] = useState<OpenDialog | null>(null);
  const [dragged, setDragged] = useState<Items | null>(null);
  const { refetch } = query;
  const reload = useCallback(() => void refetch(), [refetch]);

  return (
    <Context
      value={{
        library,
        error: query.error?.error ?? null,
        isLoading: query.isFetching,
        reload,
        actions,
        toasts,
        preferences,
        setPreferences,
        dialog,
        openDialog,
        dragged,
        setDragged,
      }}
    >
      {children}
    </Context>
  );
}

function awaitsPicture({ documents }: Library): boolean {
  const now = Date.now();
  return documents.some(
    ({ version, compiled_version, updated_at }) =>
      compiled_version !== version && now - Date.parse(updated_at) < freshMs,
  );
}

/** Notifies the user's other tabs of changes, and listens for theirs. */
function useAnnouncements(userId: string, onAnnounced: () => void): () => void {
  const channel = useRef<BroadcastChannel | null>(null);
  const handler = useRef(onAnnounced);
  handler.current = onAnnounced;
  useEffect(() => {
    const opened = new BroadcastChannel(channelOf(userId));
    opened.onmessage = () => handler.current();
    channel.current = opened;
    return () => {
      channel.current = null;
      opened.close();
    };
  }, [userId]);
  return useCallback(() => {
    // actions that end after the library was left are announced too
    const open = channel.current ?? new BroadcastChannel(channelOf(userId));
    open.postMessage('changed');
    if (open !== channel.current) open.close();
  }, [userId]);
}

const channelOf = (userId: string) => `inkproof.library.${userId}`;
