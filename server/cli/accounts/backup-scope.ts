/** What part of the storage belongs in a backup: each feature's files, as owned by rows. */
import type pg from 'pg';
import { conversionPrefix, conversionsPrefix } from '../../conversion/files.ts';
import { documentPrefix, documentsPrefix } from '../../library/files/files.ts';

/** Everything that features keep in the storage. */
export const storageRoots = [conversionsPrefix, documentsPrefix];

/** The prefixes that rows own now. Files of an unfinished upload belong to nobody yet. */
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
