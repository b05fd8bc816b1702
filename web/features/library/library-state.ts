/**
 * The library as plain values: how each action changes it, and what is shown at a place. Actions are patches that can
 * be applied twice: to the state when requested, and to the server's state afterwards.
 */
import { type DocumentSummary, type Folder, maxFolderDepth } from '#shared/api/library.ts';
import type { Library } from '#web/lib/api/library-api.ts';

export type { Library };

export type Patch = (library: Library) => Library;

export interface Items {
  documentIds: readonly string[];
  folderIds: readonly string[];
}

export const noItems: Items = { documentIds: [], folderIds: [] };

export function countItems({ documentIds, folderIds }: Items): number {
  return documentIds.length + folderIds.length;
}

/** Moving an item does not count as changing it. */
export function moveItems(items: Items, folderId: string | null): Patch {
  return changeEach(items, { document: { folder_id: folderId }, folder: { parent_id: folderId } });
}

/** Changes fields that only documents have. */
export function changeDocuments(
  ids: readonly string[],
  change: (document: DocumentSummary) => Partial<DocumentSummary>,
): Patch {
  const wanted = new Set(ids);
  return (library) => ({
    ...library,
    documents: library.documents.map((document) =>
      wanted.has(document.id) ? { ...document, ...change(document) } : document,
    ),
  });
}

/** An existing star keeps its date. @param at ISO 8601, the moment of the action */
export function star(isStarred: boolean, at: string) {
  return ({ starred_at }: DocumentSummary) => ({ starred_at: isStarred ? (starred_at ?? at) : null });
}

export function renameItem(items: Items, name: string, at: string): Patch {
  return changeEach(items, {
    document: { title: name, updated_at: at },
    folder: { name, updated_at: at },
  });
}

function changeEach(
  items: Items,
  change: { document: Partial<DocumentSummary>; folder: Partial<Folder> },
): Patch {
  const documentIds = new Set(items.documentIds);
  const folderIds = new Set(items.folderIds);
  const apply = (document: DocumentSummary) =>
    documentIds.has(document.id) ? { ...document, ...change.document } : document;
  return ({ documents, trash, folders }) => ({
    documents: documents.map(apply),
    trash: trash.map(apply),
    folders: folders.map((folder) => (folderIds.has(folder.id) ? { ...folder, ...change.folder } : folder)),
  });
}

export function trashDocuments(ids: readonly string[], at: string): Patch {
  const wanted = new Set(ids);
  return (library) => {
    const trashed = library.documents.filter(({ id }) => wanted.has(id));
    return {
      ...library,
      documents: library.documents.filter(({ id }) => !wanted.has(id)),
      trash: [
        ...library.trash,
        ...trashed.map((document) => ({ ...document, trashed_at: at, updated_at: at })),
      ],
    };
  };
}

export function restoreDocuments(ids: readonly string[], at: string): Patch {
  const wanted = new Set(ids);
  return (library) => {
    const back = library.trash.filter(({ id }) => wanted.has(id));
    return {
      ...library,
      trash: library.trash.filter(({ id }) => !wanted.has(id)),
      documents: [
        ...library.documents,
        ...back.map((document) => ({ ...document, trashed_at: null, updated_at: at })),
      ],
    };
  };
}

/**
 * Deletes documents in the trash for good. Deletes folders with their subfolders, and moves their documents to the
 * trash, out of any folder.
 */
export function deleteItems(items: Items, at: string): Patch {
  const documentIds = new Set(items.documentIds);
  return (library) => {
    const folderIds = new Set(items.folderIds.flatMap((id) => [...listSubtree(library.folders, id)]));
    const isInside = ({ folder_id }: DocumentSummary) => folder_id !== null && folderIds.has(folder_id);
    const inThem = library.documents.filter(isInside).map(({ id }) => id);
    const { documents, trash, folders } = trashDocuments(inThem, at)(library);
    return {
      documents,
      trash: trash
        .filter(({ id }) => !documentIds.has(id))
        .map((document) => (isInside(document) ? { ...document, folder_id: null } : document)),
      folders: folders.filter(({ id }) => !folderIds.has(id)),
    };
  };
}

/** Adds what the server has created. */
export function addDocument(document: DocumentSummary): Patch {
  return (library) => ({
    ...library,
    documents: [...library.documents.filter(({ id }) => id !== document.id), document],
  });
}

export function addFolder(folder: Folder): Patch {
  return (library) => ({
    ...library,
    folders: [...library.folders.filter(({ id }) => id !== folder.id), folder],
  });
}

/** The ids of a folder and all its descendants. */
export function listSubtree(folders: readonly Folder[], id: string): Set<string> {
  const found = new Set([id]);
  // one pass per level, until one finds nothing
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const folder of folders)
      if (folder.parent_id !== null && found.has(folder.parent_id)) found.add(folder.id);
  }
  return found;
}

/** The path from the top down to the folder itself; empty if there is no such folder. */
export function listPath(folders: readonly Folder[], id: string | null): Folder[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const path: Folder[] = [];
  let next = id;
  while (next !== null && path.length <= maxFolderDepth) {
    const folder = byId.get(next);
    if (!folder) break;
    path.unshift(folder);
    next = folder.parent_id;
  }
  return path;
}

export interface FolderNode {
  folder: Folder;
  /** 1 at the top level. */
  depth: number;
  children: FolderNode[];
  /** Documents in it and its descendants. */
  documentCount: number;
}

/** The folders as a tree, each level sorted by name. */
export function buildTree({ folders, documents }: Library): FolderNode[] {
  const counts = new Map<string, number>();
  for (const { folder_id } of documents)
    if (folder_id !== null) counts.set(folder_id, (counts.get(folder_id) ?? 0) + 1);
  const byParent = Map.groupBy(folders, (folder) => folder.parent_id);
  const grow = (parentId: string | null, depth: number): FolderNode[] =>
    depth > maxFolderDepth
      ? []
      : sortByName(byParent.get(parentId) ?? [], (folder) => folder.name).map((folder) => {
          const children = grow(folder.id, depth + 1);
          const inThem = children.reduce((sum, child) => sum + child.documentCount, 0);
          return { folder, depth, children, documentCount: (counts.get(folder.id) ?? 0) + inThem };
        });
  return grow(null, 1);
}

/** Why the folders cannot be moved there; null if they can. Documents can go anywhere. */
export function refuseMove(
  folders: readonly Folder[],
  folderIds: readonly string[],
  target: string | null,
): string | null {
  const above = listPath(folders, target).length;
  for (const id of folderIds) {
    const subtree = listSubtree(folders, id);
    if (target !== null && subtree.has(target)) return 'A folder cannot be moved into itself.';
    const ownDepth = listPath(folders, id).length;
    const height = Math.max(...[...subtree].map((one) => listPath(folders, one).length)) - ownDepth + 1;
    if (above + height > maxFolderDepth) return `Folders can be nested at most ${maxFolderDepth} deep.`;
  }
  return null;
}

const collator = new Intl.Collator(undefined, { numeric: true });

function sortByName<T>(list: readonly T[], nameOf: (one: T) => string): T[] {
  return list.toSorted((one, other) => collator.compare(nameOf(one), nameOf(other)));
}

export interface Sorting {
  sort: 'name' | 'updated' | 'created';
  order: 'asc' | 'desc';
}

function sortDocuments(documents: readonly DocumentSummary[], { sort, order }: Sorting): DocumentSummary[] {
  const compare = (one: DocumentSummary, other: DocumentSummary) =>
    sort === 'name'
      ? collator.compare(one.title, other.title)
      : sort === 'updated'
        ? Date.parse(one.updated_at) - Date.parse(other.updated_at)
        : Date.parse(one.created_at) - Date.parse(other.created_at);
  const sign = order === 'asc' ? 1 : -1;
  return documents.toSorted((one, other) => sign * (compare(one, other) || (one.id < other.id ? -1 : 1)));
}

/** How many of the last changed documents count as recent: three or four rows of the shelf. */
const recentCount = 24;

/** A place in the library. `folder` with null: the top level, with everything that is in no folder. */
export type Place = { kind: 'all' | 'recent' | 'starred' | 'trash' } | { kind: 'folder'; id: string | null };

/** The items of a place, in display order. */
export function listPlace(
  library: Library,
  place: Place,
  sorting: Sorting,
): { folders: Folder[]; documents: DocumentSummary[] } {
  const pick = (documents: readonly DocumentSummary[], folders: readonly Folder[] = []) => {
    const byName = sortByName(folders, (folder) => folder.name);
    return {
      folders: sorting.sort === 'name' && sorting.order === 'desc' ? byName.reverse() : byName,
      documents: sortDocuments(documents, sorting),
    };
  };
  switch (place.kind) {
    case 'all':
      return pick(library.documents);
    case 'recent':
      return {
        folders: [],
        documents: sortDocuments(library.documents, { sort: 'updated', order: 'desc' }).slice(0, recentCount),
      };
    case 'starred':
      return pick(library.documents.filter(({ starred_at }) => starred_at !== null));
    case 'trash':
      return pick(library.trash);
    case 'folder':
      return pick(
        library.documents.filter(({ folder_id }) => folder_id === place.id),
        library.folders.filter(({ parent_id }) => parent_id === place.id),
      );
  }
}

/** E.g. `“Entropy”`, `3 documents`, `2 folders and 5 documents`. */
export function describeItems(library: Library, items: Items): string {
  const [documentId] = items.documentIds;
  const [folderId] = items.folderIds;
  if (countItems(items) === 1) {
    const document = [...library.documents, ...library.trash].find(({ id }) => id === documentId);
    const folder = library.folders.find(({ id }) => id === folderId);
    return `“${document?.title ?? folder?.name ?? 'Untitled'}”`;
  }
  const parts = [
    countWord(items.folderIds.length, 'folder'),
    countWord(items.documentIds.length, 'document'),
  ];
  return parts.filter(Boolean).join(' and ');
}

function countWord(count: number, word: string): string {
  return count === 0 ? '' : `${count.toLocaleString('en-GB')} ${word}${count === 1 ? '' : 's'}`;
}
