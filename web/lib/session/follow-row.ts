/** Changes of rows as they happen, by Supabase's realtime client: loaded when the first row is followed. */
import type { RealtimeClient } from '@supabase/realtime-js';
import { getAccessToken, getClient } from './get-client.ts';
import { getIdentityConfig } from './identity-config.ts';

interface Followed {
  table: string;
  /** E.g. `id=eq.1`. */
  filter: string;
  onRow: (row: unknown) => void;
  /** The connection is back: changes made while it was down are not sent. */
  onBack: () => void;
}

let loading: Promise<RealtimeClient> | null = null;
let channelCount = 0;

/** @returns a function that ends it */
export function followRow({ table, filter, onRow, onBack }: Followed): () => void {
  let isEnded = false;
  let leave: (() => void) | null = null;
  const begin = async () => {
    loading ??= load().catch((cause) => {
      loading = null;
      throw cause;
    });
    const realtime = await loading;
    if (isEnded) return;
    let hasBeenAway = false;
    const channel = realtime
      // a new name each time: the library would return the channel that is being closed
      .channel(`${table}-${++channelCount}`)
      .on('postgres_changes', { event: '*', schema: 'public', table, filter }, ({ new: row }) => {
        if (!isEnded) onRow(row);
      })
      .subscribe((status) => {
        if (status !== 'SUBSCRIBED') hasBeenAway = true;
        else if (hasBeenAway && !isEnded) onBack();
      });
    leave = () => void realtime.removeChannel(channel);
  };
  begin().catch((cause) => console.warn(`Changes of ${table} are not pushed here`, cause));
  return () => {
    isEnded = true;
    leave?.();
  };
}

async function load(): Promise<RealtimeClient> {
  const [{ RealtimeClient }, { url, anonKey }, client] = await Promise.all([
    import('@supabase/realtime-js'),
    getIdentityConfig(),
    getClient(),
  ]);
  const realtime = new RealtimeClient(`${url.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: anonKey },
    accessToken: async () => (await getAccessToken()) ?? anonKey,
  });
  let told: string | undefined;
  client.auth.onAuthStateChange((event, session) => {
    if (event === 'SIGNED_OUT') {
      told = undefined;
      void realtime.setAuth();
    } else if (session && ['SIGNED_IN', 'TOKEN_REFRESHED'].includes(event) && session.access_token !== told) {
      told = session.access_token;
      void realtime.setAuth(told);
    }
  });
  return realtime;
}
