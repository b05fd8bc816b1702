import { useState } from 'react';
import { useNavigate } from 'react-router';
import { savePendingAction } from '#web/lib/pending-action.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/notice.tsx';

/** Judged by its name, as the import does: a document, or an archive that may contain a project. */
export function isLatexFile({ name }: Pick<File, 'name'>): boolean {
  return /\.(tex|zip)$/i.test(name);
}

interface ImportNoticeProps {
  files: readonly File[];
  /** If not, the import opens in another tab, so that the pages stay. */
  isDeskEmpty: boolean;
  /** The files were imported, or the notice dismissed. */
  onDone: () => void;
}

/** LaTeX files need no reader: offers the library's import, after a sign-in if nobody is signed in. */
export function ImportNotice({ files, isDeskEmpty, onDone }: ImportNoticeProps) {
  const navigate = useNavigate();
  const [hasFailed, setHasFailed] = useState(false);
  const handleImport = async () => {
    // opened in the click handler itself, or popup blockers stop it
    const opened = isDeskEmpty ? null : window.open('about:blank');
    const canOpen = isDeskEmpty || opened !== null;
    if (!canOpen || !(await savePendingAction({ kind: 'import', files: [...files] }))) {
      opened?.close();
      return setHasFailed(true);
    }
    onDone();
    if (opened) opened.location.href = '/documents';
    else void navigate('/documents');
  };
  return (
    <div className="p-3 sm:px-6">
      <Notice
        tone="info"
        title={titleOf(files)}
        actions={
          <Button size="small" variant="primary" onClick={handleImport}>
            Import
          </Button>
        }
        onDismiss={onDone}
      >
        {hasFailed
          ? 'Your browser could not pass on the files. Open My documents and choose New document, then Import .tex or .zip.'
          : 'Import it into your documents to edit and compile it. That costs no credits.'}
      </Notice>
    </div>
  );
}

function titleOf(files: readonly File[]): string {
  const [first] = files;
  if (files.length !== 1 || !first)
    return `${files.length} files are LaTeX, or archives that may contain it.`;
  return /\.zip$/i.test(first.name)
    ? `${first.name} is an archive. Does it contain a LaTeX project?`
    : `${first.name} is already LaTeX.`;
}
