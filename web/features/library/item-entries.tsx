import {
  ArchiveRestore,
  CopyPlus,
  CornerUpRight,
  Download,
  FolderInput,
  FolderPlus,
  PencilLine,
  SquareCheck,
  Star,
  StarOff,
  Trash2,
} from 'lucide-react';
import type { MenuEntry } from './menu.tsx';
import { itemsOf, type ShelfItem } from './places.ts';
import type { LibraryContext } from './use-library.tsx';

interface ItemEntriesOptions {
  /** One item, or all selected ones. */
  list: readonly ShelfItem[];
  isTrash: boolean;
  context: Pick<LibraryContext, 'actions' | 'openDialog'>;
  onOpen: (item: ShelfItem) => void;
  onRename: (item: ShelfItem) => void;
  /** Starts or extends a selection; only where items can be selected. */
  onSelect?: (item: ShelfItem) => void;
  onExport: (document: { id: string; title: string }) => void;
}

/** The menu entries for these items. */
export function listItemEntries({
  list,
  isTrash,
  context,
  onOpen,
  onRename,
  onSelect,
  onExport,
}: ItemEntriesOptions): MenuEntry[] {
  const { actions, openDialog } = context;
  const items = itemsOf(list);
  const { documentIds, folderIds } = items;
  const only = list.length === 1 ? list[0] : undefined;
  const select: MenuEntry[] =
    only && onSelect
      ? [{ label: 'Select', icon: <SquareCheck />, keys: 'X', isForOne: true, run: () => onSelect(only) }]
      : [];
  if (isTrash)
    return [
      ...select,
      { label: 'Restore', icon: <ArchiveRestore />, run: () => void actions.restore(documentIds) },
      {
        label: 'Delete for good',
        icon: <Trash2 />,
        keys: 'Del',
        run: () => openDialog({ kind: 'delete', items }),
      },
    ];
  const entries: MenuEntry[] = [];
  if (only) {
    entries.push(
      { label: 'Open', icon: <CornerUpRight />, keys: 'Enter', isForOne: true, run: () => onOpen(only) },
      { label: 'Rename', icon: <PencilLine />, keys: 'F2', isForOne: true, run: () => onRename(only) },
    );
    if (only.kind === 'document')
      entries.push(
        {
          label: 'Duplicate',
          icon: <CopyPlus />,
          isForOne: true,
          run: () => void actions.duplicate(only.id),
        },
        {
          label: 'Export…',
          icon: <Download />,
          isForOne: true,
          run: () => onExport({ id: only.id, title: only.name }),
        },
      );
    else
      entries.push({
        label: 'New subfolder',
        icon: <FolderPlus />,
        isForOne: true,
        run: () => openDialog({ kind: 'new-folder', parentId: only.id }),
      });
  }
  entries.push(...select);
  if (folderIds.length === 0) {
    const isStarred = list.every((item) => item.kind === 'document' && item.document.starred_at !== null);
    entries.push({
      label: isStarred ? 'Remove the star' : 'Star',
      icon: isStarred ? <StarOff /> : <Star />,
      keys: 'S',
      run: () => void actions.star(documentIds, !isStarred),
    });
  }
  entries.push({
    label: 'Move to…',
    icon: <FolderInput />,
    keys: 'M',
    run: () => openDialog({ kind: 'move', items }),
  });
  entries.push(
    folderIds.length === 0
      ? {
          label: 'Move to trash',
          icon: <Trash2 />,
          keys: 'Del',
          isApart: true,
          run: () => void actions.trash(documentIds),
        }
      : {
          label: 'Delete',
          icon: <Trash2 />,
          keys: 'Del',
          isApart: true,
          run: () => openDialog({ kind: 'delete', items }),
        },
  );
  return entries;
}
