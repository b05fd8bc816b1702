/** What of the storage belongs into a backup: each feature's files, by the rows that own them. */
import type pg from 'pg';
import { conversionPrefix, conversionsPrefix } from '../../conversion/files.ts';
import { documentPrefix, documentsPrefix } from '../../library/files/files.ts';

/** Everything that features keep in the storage. */
export const storageRoots = [conversionsPrefix, documentsPrefix];

/** The prefixes that rows own at this moment. Files of an upload that is still coming in are nobody's yet. */
export async function listOwnedPrefixes(client: pg.Client): Promise<string[]> {
  const conversions = await client.query<{ id: string }>(
    'SELECT id FROM conversions WHERE all_files_gone_at IS NULL ORDER BY created_at',
  );
  const documents = await client.query<{ id: string }>('SELECT id FROM documents ORDER BY created_at, id');
  return [
    ...conversions.rows.map(({ id }) => conversionPrefix(id)),
    ...documents.rows.map(({ id }) => documentPrefix(id)),
  ];
}
