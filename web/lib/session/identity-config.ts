/** This installation's account settings (GET /api/v1/config), parsed by hand: needed before zod is loaded. */
import { apiUrl, getApiBase } from '../api-routes.ts';

export interface IdentityConfig {
  /** Base address of /auth/v1, /rest/v1 and /realtime/v1. */
  url: string;
  anonKey: string;
  hasGoogle: boolean;
  /**
   * Our own server manages the accounts, not a Supabase elsewhere: it has recovery codes, and a cookie for each
   * browser.
   */
  isOwn: boolean;
  supportEmail: string;
  /** Where the mails of an installation without a mail server are shown; null if it has one. */
  inboxUrl: string | null;
}

let request: Promise<IdentityConfig> | null = null;

/** Requested once; after a failure the next caller retries. @throws Error if the server cannot be reached */
export function getIdentityConfig(): Promise<IdentityConfig> {
  request ??= ask().catch((cause) => {
    request = null;
    throw cause;
  });
  return request;
}

async function ask(): Promise<IdentityConfig> {
  const response = await fetch(apiUrl('GET /config'), { credentials: 'include' });
  const { identity, support_email: supportEmail, inbox_url: inboxUrl } = await response.json();
  return {
    url: identity.url,
    anonKey: identity.anon_key,
    hasGoogle: identity.providers.google === true,
    isOwn: new URL(identity.url).origin === new URL(getApiBase() || location.origin).origin,
    supportEmail,
    inboxUrl,
  };
}
