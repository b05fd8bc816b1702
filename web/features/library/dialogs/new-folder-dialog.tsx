import { type FormEvent, useState } from 'react';
import { maxTitleLength } from '#shared/api/library.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { Dialog } from '#web/ui/dialogs/dialog.tsx';
import { listPath } from '../library-state.ts';
import { useLibrary } from '../use-library.tsx';

/** Asks for a folder's name, and creates it. */
export function NewFolderDialog({ parentId, onClose }: { parentId: string | null; onClose: () => void }) {
  const { library, actions, preferences, setPreferences, toasts } = useLibrary();
  const [name, setName] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const parent = library && listPath(library.folders, parentId).at(-1);
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const clean = name.trim();
    if (clean === '') return setError('Give it a name.');
    setIsBusy(true);
    const made = await actions.createFolder(clean, parentId);
    setIsBusy(false);
    if (!made.ok) return setError(made.text);
    // so that it is visible in the side bar
    if (parentId !== null && !preferences.openFolders.includes(parentId))
      setPreferences({ openFolders: [...preferences.openFolders, parentId] });
    onClose();
    toasts.show(`Folder “${clean}” created.`);
  };
  return (
    <Dialog isOpen title={parent ? `New folder in “${parent.name}”` : 'New folder'} onClose={onClose}>
      <form onSubmit={handleSubmit} className="grid gap-5" noValidate>
        <TextField
          label="Name"
          data-first-focus
          value={name}
          error={error}
          maxLength={maxTitleLength}
          autoComplete="off"
          onChange={(event) => {
            setName(event.target.value);
            setError(null);
          }}
        />
        <Button type="submit" variant="primary" isBusy={isBusy}>
          Create folder
        </Button>
      </form>
    </Dialog>
  );
}
