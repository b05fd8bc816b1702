/** The library's search: from the folder tree to documents as shown in lists. */

import type { FoundDocument, SearchQuery, SearchResults } from '#shared/api/search.ts';
import type { Database } from '../../database/database.ts';
import { findSummaries } from '../documents/documents.ts';
import { findFolderTree } from '../folders/folders.ts';
import { search } from './index.ts';

export async function searchDocuments(
  db: Database,
  userId: string,
  request: SearchQuery,
): Promise<Omit<SearchResults, 'took_ms'>> {
  const { q, formula, folder, since, until, ...marksAndPage } = request;
  const found = await search(db, {
    userId,
    query: q,
    formula,
    folderIds: await listFolderIds(db, userId, folder),
    from: since === undefined ? undefined : new Date(since),
    to: until === undefined ? undefined : new Date(until),
    ...marksAndPage,
  });
  const summaries = await findSummaries(
    db,
    userId,
    found.documents.map(({ documentId }) => documentId),
  );
  return {
    documents: found.documents.flatMap(({ documentId, title, snippets }): FoundDocument[] => {
      const summary = summaries.get(documentId);
      return summary ? [{ ...summary, title_parts: title, snippets }] : [];
    }),
    total: found.total,
    has_more: found.hasMore,
  };
}

/** The folder and its subfolders; empty if it does not exist or belongs to another account. */
async function listFolderIds(
  db: Database,
  userId: string,
  folder: SearchQuery['folder'],
): Promise<string[] | null | undefined> {
  if (folder === undefined) return undefined;
  return folder === 'none' ? null : findFolderTree(db, userId, folder);
}
