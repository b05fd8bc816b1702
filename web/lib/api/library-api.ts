/**
 * Calls on the whole library: lists, folders, bulk actions, search. Those on one document are in `document-api.ts`.
 */
import {
  type BulkAction,
  BulkAnswer,
  type DocumentSummary,
  Documents,
  Folder,
  type FolderChange,
  Folders,
  maxBulkItems,
  maxListLimit,
} from '#shared/api/library.ts';
import { type SearchQuery, SearchResults } from '#shared/api/search.ts';
import { type ApiResult, callBlob, callJson } from './api-client.ts';

/** Everything except the texts. */
export interface Library {
  documents: DocumentSummary[];
  trash: DocumentSummary[];
  folders: Folder[];
}

/** Loads the whole library; three calls suffice below a thousand documents and folders. */
export async function loadLibrary(signal?: AbortSignal): Promise<ApiResult<Library>> {
  const [documents, trash, folders] = await Promise.all([
    listAllDocuments(false, signal),
    listAllDocuments(true, signal),
    listFolders(signal),
  ]);
  if (!documents.ok) return documents;
  if (!trash.ok) return trash;
  if (!folders.ok) return folders;
  return {
    ok: true,
    data: { documents: documents.data, trash: trash.data, folders: folders.data },
  };
}

/** The whole tree, sorted by name. */
export async function listFolders(signal?: AbortSignal): Promise<ApiResult<Folder[]>> {
  const answer = await callJson('GET /folders', Folders, { query: { limit: maxListLimit }, signal });
  return answer.ok ? { ok: true, data: answer.data.folders } : answer;
}

async function listAllDocuments(
  isTrash: boolean,
  signal?: AbortSignal,
): Promise<ApiResult<DocumentSummary[]>> {
  // keyed by id: an item that moves between two pages of the list is neither missed nor shown twice
  const found = new Map<string, DocumentSummary>();
  for (let offset = 0; ; offset += maxListLimit) {
    const page = await callJson('GET /documents', Documents, {
      query: { trashed: isTrash, limit: maxListLimit, offset },
      signal,
    });
    if (!page.ok) return page;
    for (const document of page.data.documents) found.set(document.id, document);
    if (offset + maxListLimit >= page.data.total || page.data.documents.length === 0)
      return { ok: true, data: [...found.values()] };
  }
}

/** Acts on any number of items, in several calls if needed. Stops at the first refused call. */
export async function actInBulk(
  action: BulkAction['action'],
  items: { documentIds: readonly string[]; folderIds: readonly string[] },
  folderId?: string | null,
): Promise<{ outcomes: BulkAnswer['outcomes']; refused: Extract<ApiResult<never>, { ok: false }> | null }> {
  const outcomes: BulkAnswer['outcomes'] = [];
  // folders first: the order in which the server acts
  const all = [
    ...items.folderIds.map((id) => ({ id, isFolder: true })),
    ...items.documentIds.map((id) => ({ id, isFolder: false })),
  ];
  for (let from = 0; from < all.length; from += maxBulkItems) {
    const part = all.slice(from, from + maxBulkItems);
    const answer = await callJson('POST /documents/bulk', BulkAnswer, {
      json: {
        action,
        folder_ids: part.filter(({ isFolder }) => isFolder).map(({ id }) => id),
        document_ids: part.filter(({ isFolder }) => !isFolder).map(({ id }) => id),
        ...(folderId === undefined ? {} : { folder_id: folderId }),
      },
    });
    if (!answer.ok) return { outcomes, refused: answer };
    outcomes.push(...answer.data.outcomes);
  }
  return { outcomes, refused: null };
}

export function createFolder(name: string, parentId: string | null): Promise<ApiResult<Folder>> {
  return callJson('POST /folders', Folder, { json: { name, parent_id: parentId } });
}

export function updateFolder(id: string, change: FolderChange): Promise<ApiResult<Folder>> {
  return callJson('PATCH /folders/{id}', Folder, { path: { id }, json: change });
}

/** The image of the first page, 480 pixels wide. */
export function getThumbnail(id: string): Promise<ApiResult<Blob>> {
  return callBlob('GET /documents/{id}/thumbnail.webp', 'image/', { path: { id } });
}

/** Fields left out are not sent. Rejects only when `signal` is aborted. */
export function search(query: Partial<SearchQuery>, signal?: AbortSignal): Promise<ApiResult<SearchResults>> {
  return callJson('GET /search', SearchResults, { query, signal });
}
