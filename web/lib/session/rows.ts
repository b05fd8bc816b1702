/** Rows that the browser reads itself (specification, sections 3 and 7), by PostgREST's protocol. */
import { getIdentityConfig } from './identity-config.ts';

/**
 * Reads one row.
 * @param address table and query, e.g. `page_conversion_totals?select=net_pages&id=eq.1`
 * @param token the session's access token; null reads what everybody may
 * @throws Error if it cannot be read, or there is no such row
 */
export async function fetchRow(address: string, token: string | null): Promise<unknown> {
  const { url, anonKey } = await getIdentityConfig();
  const response = await fetch(`${url}/rest/v1/${address}`, {
    headers: {
      apikey: anonKey,
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      // one object, and 406 where the row is missing
      Accept: 'application/vnd.pgrst.object+json',
    },
  });
  if (!response.ok) throw new Error(`/rest/v1 answered ${response.status}`);
  return response.json();
}
