import { useState } from 'react';
import { prepareSignOut, signOut } from '../../lib/session/sign-out.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';

interface LogOut {
  /** Titles of documents with text that only this browser has; null while the dialog is closed. */
  unsent: readonly string[] | null;
  /** Signs out, asking first if there is unsent text. */
  ask: () => Promise<void>;
  onKeep: () => void;
  onRemove: () => void;
  onStay: () => void;
}

export function useLogOut(userId: string): LogOut {
  const [unsent, setUnsent] = useState<readonly string[] | null>(null);
  const leave = async (isRemoved: boolean) => {
    setUnsent(null);
    await signOut();
    // open documents have stored their text there while closing
    if (isRemoved) await (await loadStore()).deleteUnsent(userId);
  };
  return {
    unsent,
    async ask() {
      await prepareSignOut();
      const titles = await loadStore()
        .then((store) => store.listUnsentTitles(userId))
        // storage is blocked: then nothing was stored
        .catch(() => []);
      if (titles.length > 0) setUnsent(titles);
      else await signOut();
    },
    onKeep: () => void leave(false),
    onRemove: () => void leave(true),
    onStay: () => setUnsent(null),
  };
}

/** Asks before signing out while there is text that the server does not have. */
export function LogOutDialog({ unsent, onKeep, onRemove, onStay }: LogOut) {
  return (
    <Dialog
      isOpen={unsent !== null}
      title="You have unsaved changes"
      description="These documents have changes that have not reached the server:"
      onClose={onStay}
    >
      <ul className="grid list-disc gap-1 pl-5 text-sm">
        {unsent?.map((title) => (
          <li key={title} className="break-words">
            {title}
          </li>
        ))}
      </ul>
      <p className="mt-4 text-sm text-graphite">
        If you keep them in this browser, only you can see them. They are saved when you log in here again and
        open the documents.
      </p>
      <div className="mt-6 grid gap-2">
        <Button variant="primary" data-first-focus onClick={onStay}>
          Stay logged in
        </Button>
        <Button onClick={onKeep}>Log out and keep the changes here</Button>
        <Button variant="danger" onClick={onRemove}>
          Log out and delete the changes
        </Button>
      </div>
    </Dialog>
  );
}

function loadStore() {
  return import('../../features/document/unsent/unsent-store.ts');
}
