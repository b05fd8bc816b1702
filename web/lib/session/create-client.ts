/**
 * The only module that imports the sign-in client: a chunk of its own, loaded by get-client.ts. Of Supabase's library
 * it is the part that signs in; rows are read by a plain call (rows.ts), and pushed by the part that is loaded when a
 * row is followed (follow-row.ts).
 */
import { AuthClient } from '@supabase/auth-js';
import type { IdentityConfig } from './identity-config.ts';
import { storageKey } from './stored-session.ts';

export interface IdentityClient {
  auth: InstanceType<typeof AuthClient>;
}

export function createClient({ url, anonKey, isOwn }: IdentityConfig): IdentityClient {
  return {
    auth: new AuthClient({
      ...basicsOf(url, anonKey),
      // sends the cookie that lets our server recognise this browser; a Supabase elsewhere does not allow it
      ...(isOwn ? { fetch: (input, init) => fetch(input, { ...init, credentials: 'include' }) } : {}),
      storageKey,
      persistSession: true,
      autoRefreshToken: true,
      // a function: codes of a sign-in started in this browser are taken from the address, tokens never are
      detectSessionInUrl: () => false,
    }),
  };
}

/** A client beside the page's own, for one sign-in that is kept nowhere. */
export function createClientAside({ url, anonKey }: IdentityConfig): IdentityClient {
  return {
    auth: new AuthClient({
      ...basicsOf(url, anonKey),
      storageKey: 'inkproof-proof',
      persistSession: false,
      autoRefreshToken: false,
      detectSessionInUrl: false,
    }),
  };
}

function basicsOf(url: string, anonKey: string) {
  return {
    url: `${url}/auth/v1`,
    headers: { apikey: anonKey, Authorization: `Bearer ${anonKey}` },
    flowType: 'pkce',
  } as const;
}
