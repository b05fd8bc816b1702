/** What of the storage belongs into a backup: each feature's files, by the rows that own them. */
import type pg from 'pg';
import { conversionPrefix, conversionsPrefix } from '../conversion/files.ts';

/** Everything that features keep in the storage. */
export const storageRoots = [conversionsPrefix];

/** The prefixes that rows own at this moment. Files of an upload that is still coming in are nobody's yet. */
export async function listOwnedPrefixes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM conversions WHERE all_files_gone_at IS NULL ORDER BY created_at',
  );
  return rows.map(({ id }) => conversionPrefix(id));
}
