/** The one place that brings in the client library: a chunk of its own, loaded by get-supabase.ts. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { IdentityConfig } from './identity-config.ts';
import { storageKey } from './stored-session.ts';

export function createSupabase({ url, anonKey, isOwn }: IdentityConfig): SupabaseClient {
  return createClient(url, anonKey, {
    // the cookie by which our server knows this browser again; a Supabase elsewhere allows none
    global: isOwn ? { fetch: (input, init) => fetch(input, { ...init, credentials: 'include' }) } : {},
    auth: {
      storageKey,
      flowType: 'pkce',
      persistSession: true,
      autoRefreshToken: true,
      // a function: codes of a sign-in begun in this browser are taken from the address, tokens in it never are
      detectSessionInUrl: () => false,
    },
  });
}
