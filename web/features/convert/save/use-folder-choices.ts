import { useQuery } from '@tanstack/react-query';
import type { Folder } from '#shared/api/library.ts';
import { listFolders } from '#web/lib/api/library-api.ts';

export interface FolderChoice {
  id: string;
  /** From the root: `Physics / Lecture 2`. */
  path: string;
}

/** All folders, sorted by path; empty while unknown. */
export function useFolderChoices(isOn: boolean): FolderChoice[] {
  const { data } = useQuery({
    queryKey: ['folder-choices'],
    queryFn: ({ signal }) => listFolders(signal),
    enabled: isOn,
    staleTime: 0,
  });
  return data?.ok ? listChoices(data.data) : [];
}

function listChoices(folders: readonly Folder[]): FolderChoice[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const pathOf = (folder: Folder): string => {
    const parent = folder.parent_id === null ? undefined : byId.get(folder.parent_id);
    return parent ? `${pathOf(parent)} / ${folder.name}` : folder.name;
  };
  return folders
    .map((folder) => ({ id: folder.id, path: pathOf(folder) }))
    .sort((one, other) => one.path.localeCompare(other.path, 'en'));
}
