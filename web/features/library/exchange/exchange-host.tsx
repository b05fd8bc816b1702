/** Import, export and new documents, available to all of the library's screens. */
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { getDocument } from '#web/lib/api/document-api.ts';
import { saveExport } from '#web/lib/api/save-export.ts';
import { takePendingAction } from '#web/lib/pending-action.ts';
import { DropZone } from '#web/ui/controls/drop-zone.tsx';
import { ExportDialog } from '#web/ui/dialogs/export-dialog.tsx';
import { ExportAllDialog } from './export-all-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { NewDocumentDialog } from './new-document-dialog.tsx';

type Open =
  | { kind: 'new' }
  | { kind: 'import'; files: readonly File[] }
  | { kind: 'export'; id: string; title: string }
  | { kind: 'export-all' };

export interface Exchange {
  /** Creates a blank document, or one from a template. */
  chooseTemplate(): void;
  /** Asks for the files to import. */
  chooseImport(): void;
  importFiles(files: readonly File[]): void;
  exportDocument(document: { id: string; title: string }): void;
  exportAll(): void;
}

const Context = createContext<Exchange | null>(null);

export function useExchange(): Exchange {
  const exchange = use(Context);
  if (!exchange) throw new Error('useExchange needs an ExchangeHost above it.');
  return exchange;
}

interface ExchangeHostProps {
  /** The folder for new documents; null is the top level. */
  folderId: string | null;
  /** Called when documents have been added. */
  onChanged: () => void;
  children: ReactNode;
}

/** Hosts the dialogs, and accepts files dropped anywhere. */
export function ExchangeHost({ folderId, onChanged, children }: ExchangeHostProps) {
  const [open, setOpen] = useState<Open | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const close = useCallback(() => setOpen(null), []);
  const exported = open?.kind === 'export' ? open.id : null;
  const [doubtCount, setDoubtCount] = useState(0);
  useEffect(() => {
    setDoubtCount(0);
    if (exported === null) return;
    const controller = new AbortController();
    getDocument(exported, controller.signal).then(
      (answer) => answer.ok && setDoubtCount(answer.data.source_map?.doubtful.length ?? 0),
      () => undefined,
    );
    return () => controller.abort();
  }, [exported]);
  // LaTeX files that were added to the converter
  useEffect(() => {
    void takePendingAction('import').then(
      (pending) => pending && setOpen({ kind: 'import', files: pending.files }),
    );
  }, []);
  const exchange = useMemo(
    (): Exchange => ({
      chooseTemplate: () => setOpen({ kind: 'new' }),
      chooseImport: () => picker.current?.click(),
      importFiles: (files) => setOpen({ kind: 'import', files }),
      exportDocument: ({ id, title }) => setOpen({ kind: 'export', id, title }),
      exportAll: () => setOpen({ kind: 'export-all' }),
    }),
    [],
  );
  return (
    <Context value={exchange}>
      <DropZone
        label="Drop .tex or .zip files to import them"
        isClosed={open !== null}
        onFiles={exchange.importFiles}
      >
        {children}
      </DropZone>
      <input
        ref={picker}
        type="file"
        multiple
        accept=".tex,.ltx,.latex,.zip,application/zip,application/x-tex,text/x-tex"
        aria-label="Files to import"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // allows choosing the same file again
          event.target.value = '';
          if (files.length > 0) exchange.importFiles(files);
        }}
      />
      {open?.kind === 'new' && <NewDocumentDialog folderId={folderId} onClose={close} />}
      {open?.kind === 'import' && (
        <ImportDialog files={open.files} folderId={folderId} onImported={onChanged} onClose={close} />
      )}
      {open?.kind === 'export' && (
        <ExportDialog
          isOpen
          title={open.title}
          doubtCount={doubtCount}
          onClose={close}
          onExport={(form, signal) => saveExport(open.id, form, signal)}
        />
      )}
      {open?.kind === 'export-all' && <ExportAllDialog onClose={close} />}
    </Context>
  );
}
