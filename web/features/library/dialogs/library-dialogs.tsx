import { useNavigate } from 'react-router';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { countItems, describeItems, type Items, type Library, listSubtree } from '../library-state.ts';
import { addressOf } from '../places.ts';
import { useLibrary } from '../use-library.tsx';
import { usePlace } from '../use-place.ts';
import { MoveDialog } from './move-dialog.tsx';
import { NewFolderDialog } from './new-folder-dialog.tsx';

/** The dialog that is open over the library. */
export function LibraryDialogs() {
  const { dialog, openDialog } = useLibrary();
  const close = () => openDialog(null);
  switch (dialog?.kind) {
    case undefined:
    // always mounted, because it listens for its own key
    case 'shortcuts':
      return null;
    case 'new-folder':
      return <NewFolderDialog parentId={dialog.parentId} onClose={close} />;
    case 'move':
      return <MoveDialog items={dialog.items} onClose={close} />;
    case 'delete':
      return <DeleteDialog items={dialog.items} onClose={close} />;
  }
}

function DeleteDialog({ items, onClose }: { items: Items; onClose: () => void }) {
  const { library, actions } = useLibrary();
  const place = usePlace();
  const navigate = useNavigate();
  if (!library) return null;
  const isForGood = items.folderIds.length === 0;
  const remove = async () => {
    onClose();
    if (isForGood) return actions.delete(items);
    const deleted = new Set(items.folderIds.flatMap((id) => [...listSubtree(library.folders, id)]));
    // leave a folder before it is deleted
    if (place.kind === 'folder' && place.id !== null && deleted.has(place.id)) {
      const parentId = library.folders.find(({ id }) => id === items.folderIds[0])?.parent_id ?? null;
      await navigate(addressOf({ kind: 'folder', id: parentId }));
    }
    await actions.delete({ documentIds: [], folderIds: items.folderIds });
    if (items.documentIds.length > 0) await actions.trash(items.documentIds);
  };
  const isAll = isForGood && items.documentIds.length === library.trash.length && countItems(items) > 1;
  return (
    <ConfirmDialog
      isOpen
      title={isAll ? 'Empty the trash?' : `Delete ${describeItems(library, items)}?`}
      text={describeLoss(library, items)}
      confirmLabel={isForGood ? 'Delete for good' : 'Delete'}
      cancelLabel="Keep"
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  );
}

function describeLoss(library: Library, items: Items): string {
  if (items.folderIds.length === 0) {
    const count = items.documentIds.length;
    return count === 1
      ? 'The document is deleted with its history, figures and links. This cannot be undone.'
      : `${count.toLocaleString('en-GB')} documents are deleted with their history, figures and links. This cannot be undone.`;
  }
  const folderIds = new Set(items.folderIds.flatMap((id) => [...listSubtree(library.folders, id)]));
  const inside = folderIds.size - items.folderIds.length;
  const count =
    library.documents.filter(({ folder_id }) => folder_id !== null && folderIds.has(folder_id)).length +
    items.documentIds.length;
  const folders = inside > 0 ? `, with ${inside === 1 ? 'the folder' : `the ${inside} folders`} inside,` : '';
  const them = items.folderIds.length === 1 ? 'The folder' : 'The folders';
  const documents =
    count === 0
      ? 'There are no documents in it.'
      : `${count === 1 ? 'Its document is moved' : `${count.toLocaleString('en-GB')} documents are moved`} to the trash and can be restored from there.`;
  return `${them}${folders} will be deleted. ${documents}`;
}
