/** The client library as used in a browser, in Node: storage in memory, every event it reports recorded. */
import { type AuthChangeEvent, createClient, type Session, type SupabaseClient } from '@supabase/supabase-js';

export interface IdentityClient {
  supabase: SupabaseClient;
  auth: SupabaseClient['auth'];
  /** Every event so far, in order. */
  events: AuthChangeEvent[];
  /** The sessions that came with the events. */
  sessions: (Session | null)[];
  /** What a browser would have in localStorage. */
  storage: Map<string, string>;
  /** The session as stored, without checking whether it is still valid. */
  stored(): Session | null;
  /** Changes the stored session, as time or another tab would. */
  store(change: Partial<Session>): void;
  close(): Promise<void>;
}

interface ClientOptions {
  /** Base address of /auth/v1, /rest/v1 and /realtime/v1. */
  url: string;
  key: string;
  /** Two clients with the same storage are two tabs of a browser. */
  storage?: Map<string, string>;
  /** Sent with every request, e.g. `X-Forwarded-For`. */
  headers?: Record<string, string>;
  autoRefreshToken?: boolean;
}

const storageKey = 'session';

export function openIdentityClient(options: ClientOptions): IdentityClient {
  const storage = options.storage ?? new Map<string, string>();
  const supabase = createClient(options.url, options.key, {
    auth: {
      flowType: 'pkce',
      storageKey,
      autoRefreshToken: options.autoRefreshToken ?? false,
      detectSessionInUrl: false,
      storage: {
        getItem: (key) => storage.get(key) ?? null,
        setItem: (key, value) => void storage.set(key, value),
        removeItem: (key) => void storage.delete(key),
      },
    },
    global: { headers: options.headers ?? {} },
  });
  const events: AuthChangeEvent[] = [];
  const sessions: (Session | null)[] = [];
  const { data } = supabase.auth.onAuthStateChange((event, session) => {
    events.push(event);
    sessions.push(session);
  });
  const stored = () => JSON.parse(storage.get(storageKey) ?? 'null') as Session | null;
  return {
    supabase,
    auth: supabase.auth,
    events,
    sessions,
    storage,
    stored,
    store(change) {
      storage.set(storageKey, JSON.stringify({ ...stored(), ...change }));
    },
    async close() {
      data.subscription.unsubscribe();
      await supabase.auth.stopAutoRefresh();
      await supabase.removeAllChannels();
      await supabase.realtime.disconnect();
    },
  };
}
