import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { maxTitleLength } from '#shared/api/library.ts';
import { useStoredChoice } from '#web/lib/hooks/use-stored-choice.ts';
import { useSession } from '#web/lib/session/use-session.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { Dialog } from '#web/ui/dialogs/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Progress } from '#web/ui/progress.tsx';
import type { SaveProgress } from './save-result.ts';
import { useFolderChoices } from './use-folder-choices.ts';
import type { SaveControl } from './use-save-result.ts';

interface SaveDialogProps {
  control: SaveControl;
  isOpen: boolean;
  onClose: () => void;
  /** Receives the focus after saving, when the button that opened the dialog no longer exists. */
  findHeir: () => HTMLElement | null;
}

export function SaveDialog({ control, isOpen, onClose, findHeir }: SaveDialogProps) {
  const { document, state } = control;
  const isSaved = document !== null && state.kind === 'idle';
  return (
    <Dialog
      isOpen={isOpen}
      title={isSaved ? 'Saved' : 'Save to my documents'}
      onClose={onClose}
      findHeir={findHeir}
    >
      {isOpen && (isSaved ? <Done control={control} onClose={onClose} /> : <Form control={control} />)}
    </Dialog>
  );
}

/** The form for a new document, also for a second one if the first was changed elsewhere. */
function Form({ control }: { control: SaveControl }) {
  const { state, document, suggestedTitle } = control;
  const { state: session } = useSession();
  const id = useId();
  const folders = useFolderChoices(session === 'signed-in');
  const [title, setTitle] = useState(document?.title ?? suggestedTitle);
  const [folderId, setFolderId] = useState('');
  const [choice, setChoice] = useStoredChoice('inkproof.keep-page-images');
  const withImages = choice ?? false;
  const isSaving = state.kind === 'saving';
  const isNew = document === null || state.kind === 'changed-elsewhere';
  const name = title.replace(/\p{Cc}+/gu, ' ').trim();

  // an update of a saved document asks nothing; it only failed
  if (!isNew)
    return (
      <div className="grid gap-4">
        {state.kind === 'failed' && <Notice tone="error" title={state.text} />}
        <Button variant="primary" isBusy={isSaving} onClick={() => void control.saveAgain()}>
          Try again
        </Button>
      </div>
    );
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (name !== '') void control.saveNew({ title: name, folderId: folderId || null, withImages });
      }}
    >
      {state.kind === 'failed' && <Notice tone="error" title={state.text} />}
      {state.kind === 'changed-elsewhere' && document && (
        <Notice
          tone="warning"
          title="The saved document has since been changed in its editor."
          actions={
            <Link to={`/documents/${document.id}`} className={buttonClass({ size: 'small' })}>
              Open it
            </Link>
          }
        >
          Nothing was overwritten. You can save this result as a separate document.
        </Notice>
      )}
      <TextField
        label="Title"
        data-first-focus
        value={title}
        maxLength={maxTitleLength}
        disabled={isSaving}
        error={name === '' ? 'Give it a name.' : null}
        // backward, so that a long title is shown from its start
        onFocus={({ target }) => target.setSelectionRange(0, target.value.length, 'backward')}
        onChange={(event) => setTitle(event.target.value)}
      />
      {folders.length > 0 && (
        <div className="grid gap-1.5">
          <label htmlFor={`${id}-folder`} className="text-sm font-medium">
            Folder
          </label>
          <Select
            id={`${id}-folder`}
            value={folderId}
            disabled={isSaving}
            onChange={(event) => setFolderId(event.target.value)}
          >
            <option value="">None</option>
            {folders.map((folder) => (
              <option key={folder.id} value={folder.id}>
                {folder.path}
              </option>
            ))}
          </Select>
        </div>
      )}
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
        <Checkbox
          id={`${id}-images`}
          checked={withImages}
          disabled={isSaving}
          aria-describedby={`${id}-images-hint`}
          onChange={(event) => setChoice(event.target.checked)}
          className="mt-0.5"
        />
        <label htmlFor={`${id}-images`} className="text-sm font-medium">
          Keep the page images
        </label>
        <p id={`${id}-images-hint`} className="col-start-2 mt-0.5 text-[0.8125rem] text-graphite">
          Your browser uploads them again. They are stored with the document and shown next to it.
        </p>
      </div>
      {isSaving && <Way progress={state.progress} />}
      <Button type="submit" variant="primary" isBusy={isSaving} disabled={name === ''}>
        {state.kind === 'changed-elsewhere' ? 'Save as a new document' : 'Save'}
      </Button>
    </form>
  );
}

function Way({ progress }: { progress: SaveProgress | null }) {
  const words =
    progress === null
      ? 'Saving the document'
      : `Sending page ${Math.min(progress.done + 1, progress.total)} of ${progress.total}`;
  return (
    <div className="grid gap-1.5">
      <p className="text-[0.8125rem] text-graphite" role="status">
        {words}
      </p>
      <Progress
        label={words}
        value={progress === null ? 10 : 10 + (90 * progress.done) / Math.max(progress.total, 1)}
      />
    </div>
  );
}

function Done({ control, onClose }: { control: SaveControl; onClose: () => void }) {
  const { document, missing } = control;
  const open = useRef<HTMLAnchorElement>(null);
  // the button that saved no longer exists, and the focus with it
  useEffect(() => open.current?.focus(), []);
  if (!document) return null;
  return (
    <div className="grid gap-5">
      <p className="text-graphite" role="status">
        “{document.title}” is in your documents.
      </p>
      {missing.length > 0 && (
        <Notice
          tone="warning"
          title={`The ${missing.length === 1 ? `image of page ${missing[0]} was` : `images of ${missing.length} pages were`} not kept.`}
        >
          {missing.length === 1 ? 'It is' : 'They are'} no longer in this browser, or did not arrive.
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Link
          ref={open}
          data-first-focus
          to={`/documents/${document.id}`}
          className={buttonClass({ variant: 'primary', className: 'flex-1' })}
        >
          Open
        </Link>
        <Button className="flex-1" onClick={onClose}>
          Stay here
        </Button>
      </div>
    </div>
  );
}
