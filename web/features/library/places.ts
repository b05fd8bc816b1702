/** The library's addresses: from a place to its address and back. */
import type { DocumentSummary, Folder } from '#shared/api/library.ts';
import type { Place } from './library-state.ts';

export function addressOf(place: Place): string {
  switch (place.kind) {
    case 'all':
      return '/documents';
    case 'recent':
      return '/documents?view=recent';
    case 'starred':
      return '/documents?view=starred';
    case 'trash':
      return '/documents?view=trash';
    case 'folder':
      return place.id === null ? '/documents/folders' : `/documents/folders/${place.id}`;
  }
}

export function readPlace(pathname: string, query: URLSearchParams): Place {
  const [, , folders, id] = pathname.replace(/\/+$/, '').split('/');
  if (folders === 'folders') return { kind: 'folder', id: id ?? null };
  const view = query.get('view');
  return { kind: view === 'recent' || view === 'starred' || view === 'trash' ? view : 'all' };
}

export function isSamePlace(one: Place, other: Place): boolean {
  return addressOf(one) === addressOf(other);
}

/** @param file the one of its files that the line is in */
export function documentAddress(id: string, line?: number, file?: string): string {
  if (line === undefined) return `/documents/${id}`;
  const query = new URLSearchParams({ line: String(line), ...(file === undefined ? {} : { file }) });
  return `/documents/${id}?${query}`;
}

/** @param folder null if the place is not a folder, or one that does not exist */
export function titleOf(place: Place, folder: Folder | null): string {
  switch (place.kind) {
    case 'all':
      return 'All documents';
    case 'recent':
      return 'Recent';
    case 'starred':
      return 'Starred';
    case 'trash':
      return 'Trash';
    case 'folder':
      return place.id === null ? 'Folders' : (folder?.name ?? 'Folder');
  }
}

/** One item on the shelf. */
export type ShelfItem =
  | { kind: 'folder'; key: string; id: string; name: string; folder: Folder }
  | { kind: 'document'; key: string; id: string; name: string; document: DocumentSummary };

export function listShelf({
  folders,
  documents,
}: {
  folders: readonly Folder[];
  documents: readonly DocumentSummary[];
}): ShelfItem[] {
  return [
    ...folders.map((folder): ShelfItem => {
      return { kind: 'folder', key: `folder-${folder.id}`, id: folder.id, name: folder.name, folder };
    }),
    ...documents.map((document): ShelfItem => {
      return {
        kind: 'document',
        key: `document-${document.id}`,
        id: document.id,
        name: document.title,
        document,
      };
    }),
  ];
}

export function itemsOf(list: readonly ShelfItem[]): {
  documentIds: string[];
  folderIds: string[];
} {
  return {
    documentIds: list.filter(({ kind }) => kind === 'document').map(({ id }) => id),
    folderIds: list.filter(({ kind }) => kind === 'folder').map(({ id }) => id),
  };
}
