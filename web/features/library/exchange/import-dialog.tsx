import { Check, CircleAlert, FileArchive, Sigma } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { Button } from '#web/ui/controls/button.tsx';
import { Spinner } from '#web/ui/controls/loading.tsx';
import { Dialog } from '#web/ui/dialogs/dialog.tsx';
import { type ImportRequest, type ImportState, importAll, refuseFile } from './import-files.ts';

interface ImportDialogProps {
  files: readonly File[];
  folderId: string | null;
  /** Called for each document imported. */
  onImported: () => void;
  onClose: () => void;
}

interface Line extends ImportRequest {
  state: ImportState;
}

/** Imports files one after the other. A single, complete document is opened after the import. */
export function ImportDialog({ files, folderId, onImported, onClose }: ImportDialogProps) {
  const [lines, setLines] = useState<readonly Line[]>(() =>
    files.map((file) => ({ file, state: refuseFile(file) ?? { kind: 'waiting' } })),
  );
  const navigate = useNavigate();
  const latest = useRef({ onImported, navigate });
  latest.current = { onImported, navigate };
  const end = useRef<AbortController | null>(null);
  const put = (index: number, state: ImportState) => {
    setLines((known) => known.with(index, { ...known[index]!, state }));
    if (state.kind === 'imported') latest.current.onImported();
  };
  const putLatest = useRef(put);
  putLatest.current = put;

  useEffect(() => {
    const controller = new AbortController();
    end.current = controller;
    const onState = (index: number, state: ImportState) => putLatest.current(index, state);
    const requests = files.map((file) => ({ file }));
    importAll(requests, { folderId, onState, signal: controller.signal }).then((ends) => {
      const [only] = ends;
      if (ends.length === 1 && only?.kind === 'imported' && only.missing.length === 0 && !only.choice)
        void latest.current.navigate(`/documents/${only.id}`);
    }, ignoreClosing);
    return () => controller.abort();
  }, [files, folderId]);

  const handleAlso = (file: File, main: string) => {
    const index = lines.length;
    setLines([...lines, { file, main, state: { kind: 'waiting' } }]);
    const onState = (_: number, state: ImportState) => putLatest.current(index, state);
    importAll([{ file, main }], { folderId, onState, signal: end.current!.signal }).catch(ignoreClosing);
  };

  const left = lines.filter(({ state }) => state.kind === 'waiting' || state.kind === 'sending').length;
  const count = lines.filter(({ state }) => state.kind === 'imported').length;
  return (
    <Dialog
      isOpen
      title="Import"
      description={
        left > 0
          ? lines.length === 1
            ? 'Your document is being read.'
            : `${left} of ${lines.length} to go.`
          : describeEnd(count, lines.length)
      }
      onClose={onClose}
    >
      <ul className="grid gap-px overflow-hidden rounded-lg border border-hairline bg-hairline">
        {lines.map(({ file, main, state }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name, and no line is taken away
          <li key={index} className="bg-page px-3.5 py-3">
            <FileLine name={main ?? file.name} state={state} />
            {state.kind === 'imported' && state.choice && (
              <OtherDocuments
                {...state.choice}
                taken={lines.flatMap((line) => (line.file === file && line.main ? [line.main] : []))}
                onImport={(path) => handleAlso(file, path)}
              />
            )}
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

/** For the error of a closed dialog: documents imported by then stay. */
function ignoreClosing(): void {}

interface OtherDocumentsProps {
  main: string;
  others: readonly string[];
  /** Those of the others that were requested. */
  taken: readonly string[];
  onImport: (path: string) => void;
}

/** For an archive with several documents: which one was imported, and the others to import as well. */
function OtherDocuments({ main, others, taken, onImport }: OtherDocumentsProps) {
  const left = others.filter((path) => !taken.includes(path));
  return (
    <div className="mt-2 pl-7 text-sm text-graphite">
      <p className="break-words">
        This is {main}. {describeOthers(left.length)}
      </p>
      {left.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-2">
          {left.map((path) => (
            <li key={path} className="min-w-0">
              <Button size="small" onClick={() => onImport(path)}>
                <span className="break-all">Import {path}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function describeOthers(count: number): string {
  if (count === 0) return 'All documents in the archive are imported.';
  return count === 1 ? 'The archive has another document:' : `The archive has ${count} more documents:`;
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
              ? 'A file it uses is missing'
              : `${state.missing.length} files it uses are missing`}
            : {state.missing.slice(0, 5).join(', ')}
            {state.missing.length > 5 && ' …'}. Add figures in the document, or import a zip with them.
          </p>
        )}
      </div>
    </div>
  );
}
