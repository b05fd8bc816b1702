import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { trashDays } from '#shared/api/library.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { useExchange } from './exchange/exchange-host.tsx';
import type { Place } from './library-state.ts';
import { useLibrary } from './use-library.tsx';

/** Says why a place is empty, and what to do. */
export function EmptyPlace({ place, isMissing }: { place: Place; isMissing: boolean }) {
  const { library, openDialog } = useLibrary();
  const { chooseImport } = useExchange();
  const hasDocuments = (library?.documents.length ?? 0) > 0;
  const convert = (
    <Link to="/convert" className={buttonClass({ variant: 'primary' })}>
      Convert your notes
    </Link>
  );
  const allDocuments = (
    <Link to="/documents" className={buttonClass()}>
      All documents
    </Link>
  );
  if (isMissing)
    return (
      <Empty
        title="It may have been deleted"
        text="The documents of a deleted folder are in the trash, from where they can be restored."
      >
        {allDocuments}
        <Link to="/documents?view=trash" className={buttonClass({ variant: 'quiet' })}>
          Open the trash
        </Link>
      </Empty>
    );
  switch (place.kind) {
    case 'all':
    case 'recent':
      return (
        <Empty
          title="No documents yet"
          text="Convert a page of notes and save it, import LaTeX you already have, or look at a sample first. Documents are kept here with their LaTeX and their PDF, and you can find them by any word or formula."
        >
          {convert}
          <Button onClick={chooseImport}>Import .tex or .zip</Button>
          <Link to="/convert?sample" className={buttonClass({ variant: 'quiet' })}>
            Try a sample page
          </Link>
        </Empty>
      );
    case 'starred':
      return (
        <Empty
          title="Nothing starred yet"
          text="Star the documents you open every day, with the star on their page or the S key."
        >
          {hasDocuments ? allDocuments : convert}
        </Empty>
      );
    case 'trash':
      return (
        <Empty
          title="The trash is empty"
          text={`What you delete stays here for ${trashDays} days and can be restored until then.`}
        />
      );
    case 'folder':
      return place.id === null ? (
        <Empty
          title="No folders yet"
          text="Create a folder for each course or each year, and drag documents into it or move them with the M key. Folders can contain folders."
        >
          <Button variant="primary" onClick={() => openDialog({ kind: 'new-folder', parentId: null })}>
            New folder
          </Button>
        </Empty>
      ) : (
        <Empty
          title="This folder is empty"
          text={
            hasDocuments
              ? 'Drag documents onto its name in the side bar, or choose “Move to…” in their menu.'
              : 'You can also save converted documents here.'
          }
        >
          {hasDocuments ? allDocuments : convert}
        </Empty>
      );
  }
}

export function Empty({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className="grid justify-items-start gap-3 rounded-2xl border border-dashed border-edge p-6 sm:p-10">
      <h2 className="font-serif text-xl font-medium">{title}</h2>
      <p className="max-w-[35.5em] text-graphite">{text}</p>
      {children && <div className="mt-1 flex flex-wrap gap-2">{children}</div>}
    </div>
  );
}
