/** Where a sign-in may return to: PUBLIC_URL's origin, and exact matches of REDIRECT_URLS. */
import type { Env } from '#platform/env.ts';
import { listOwnOrigins } from '#server/http/request/origins.ts';

type RedirectSettings = Pick<Env, 'PUBLIC_URL' | 'REDIRECT_URLS'>;

/** Returns the address if it is allowed, else PUBLIC_URL. Never throws, because anybody may send anything. */
export function resolveRedirect(env: RedirectSettings, wanted: string | null | undefined): string {
  return wanted && isAllowed(env, wanted) ? new URL(wanted).href : env.PUBLIC_URL;
}

function isAllowed({ PUBLIC_URL, REDIRECT_URLS }: RedirectSettings, wanted: string): boolean {
  // browsers read a backslash as a slash and drop control characters; a legitimate address contains neither
  if (wanted.length > 2_000 || /[\\\p{Cc}\s]/u.test(wanted)) return false;
  const url = URL.parse(wanted);
  if (url === null || url.username !== '' || url.password !== '') return false;
  if (REDIRECT_URLS.some((allowed) => new URL(allowed).href === url.href)) return true;
  return listOwnOrigins({ PUBLIC_URL, API_URL: PUBLIC_URL }).has(url.origin);
}
