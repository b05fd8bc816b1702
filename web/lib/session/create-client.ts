/** The only module that imports the client library: a chunk of its own, loaded by get-supabase.ts. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { IdentityConfig } from './identity-config.ts';
import { storageKey } from './stored-session.ts';

export function createSupabase({ url, anonKey, isOwn }: IdentityConfig): SupabaseClient {
  return createClient(url, anonKey, {
    // sends the cookie that lets our server recognise this browser; a Supabase elsewhere does not allow it
    global: isOwn ? { fetch: (input, init) => fetch(input, { ...init, credentials: 'include' }) } : {},
    auth: {
      storageKey,
      flowType: 'pkce',
      persistSession: true,
      autoRefreshToken: true,
      // a function: codes of a sign-in started in this browser are taken from the address, tokens never are
      detectSessionInUrl: () => false,
    },
  });
}
