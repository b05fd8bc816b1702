import { Check, CircleAlert, FileArchive, Sigma } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Spinner } from '#web/ui/loading.tsx';
import { type ImportState, importAll, refuseFile } from './import-files.ts';

interface ImportDialogProps {
  files: readonly File[];
  folderId: string | null;
  /** One of them is in the library now. */
  onImported: () => void;
  onClose: () => void;
}

/** Files on their way in, one after the other. A single one that came in whole is opened. */
export function ImportDialog({ files, folderId, onImported, onClose }: ImportDialogProps) {
  const [states, setStates] = useState<readonly ImportState[]>(() =>
    files.map((file) => refuseFile(file) ?? { kind: 'waiting' }),
  );
  const navigate = useNavigate();
  const latest = useRef({ onImported, navigate });
  latest.current = { onImported, navigate };

  useEffect(() => {
    const controller = new AbortController();
    const put = (index: number, state: ImportState) => {
      setStates((known) => known.with(index, state));
      if (state.kind === 'imported') latest.current.onImported();
    };
    importAll(files, { folderId, onState: put, signal: controller.signal }).then(
      (ends) => {
        const [only] = ends;
        if (ends.length === 1 && only?.kind === 'imported' && only.missing.length === 0)
          void latest.current.navigate(`/documents/${only.id}`);
      },
      () => {
        // the window was closed: what is in the library stays there
      },
    );
    return () => controller.abort();
  }, [files, folderId]);

  const left = states.filter(({ kind }) => kind === 'waiting' || kind === 'sending').length;
  const count = states.filter(({ kind }) => kind === 'imported').length;
  return (
    <Dialog
      isOpen
      title="Import"
      description={
        left > 0
          ? files.length === 1
            ? 'Your document is being read.'
            : `${left} of ${files.length} files to go.`
          : describeEnd(count, files.length)
      }
      onClose={onClose}
    >
      <ul className="grid gap-px overflow-hidden rounded-lg border border-hairline bg-hairline">
        {files.map((file, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name, and the list never changes
          <li key={index} className="bg-page px-3.5 py-3">
            <FileLine name={file.name} state={states[index]!} />
          </li>
        ))}
      </ul>
      <div className="mt-5 flex justify-end">
        <Button data-first-focus onClick={onClose} variant={left > 0 ? 'outline' : 'primary'}>
          {left > 0 ? 'Stop' : 'Done'}
        </Button>
      </div>
    </Dialog>
  );
}

function describeEnd(count: number, total: number): string {
  if (count === total) return total === 1 ? 'It is in your library.' : `All ${total} are in your library.`;
  if (count === 0) return total === 1 ? 'It could not be imported.' : 'None of them could be imported.';
  return `${count} of ${total} are in your library.`;
}

function FileLine({ name, state }: { name: string; state: ImportState }) {
  const icons: Record<ImportState['kind'], ReactNode> = {
    waiting: /\.zip$/i.test(name) ? <FileArchive /> : <Sigma />,
    sending: <Spinner className="size-4" />,
    imported: <Check className="text-green" />,
    refused: <CircleAlert className="text-red" />,
  };
  return (
    <div className="flex gap-3 text-sm">
      <span
        className="mt-0.5 grid size-4 shrink-0 place-items-center text-graphite [&_svg]:size-4"
        aria-hidden="true"
      >
        {icons[state.kind]}
      </span>
      <div className="min-w-0 flex-1">
        {state.kind === 'imported' ? (
          <Link
            to={`/documents/${state.id}`}
            className="font-medium break-words underline underline-offset-2"
          >
            {state.title}
          </Link>
        ) : (
          <p className="font-medium break-words">{name}</p>
        )}
        {state.kind === 'waiting' && <p className="text-graphite">Waiting</p>}
        {state.kind === 'sending' && <p className="text-graphite">Reading</p>}
        {state.kind === 'refused' && (
          <p role="alert" className="break-words text-graphite">
            {state.text}{' '}
            {state.isForConverter && (
              <Link to="/convert" className="text-ink underline underline-offset-2">
                Open the converter
              </Link>
            )}
          </p>
        )}
        {state.kind === 'imported' && state.missing.length > 0 && (
          <p className="break-words text-graphite">
            {state.missing.length === 1
              ? 'A file that it names'
              : `${state.missing.length} files that it names`}{' '}
            did not come with it: {state.missing.slice(0, 5).join(', ')}
            {state.missing.length > 5 && ' …'}. Add figures in the document, or import a zip with them.
          </p>
        )}
      </div>
    </div>
  );
}
