/** The document's own text or one of its files, next to the tree of files if there are any. */
import { type ComponentProps, lazy, type ReactNode, Suspense, useMemo, useRef, useState } from 'react';
import type { LogMessage } from '#shared/api/errors.ts';
import type { SavedDocument } from '#shared/api/library.ts';
import { readFigureText } from '#web/lib/figure-text.ts';
import { decodeBase64 } from '#web/lib/pdf/pdf-address.ts';
import { retryImport } from '#web/lib/retry-import.ts';
import { cn } from '#web/ui/cn.ts';
import { isTextFile } from '../figures/figure-names.ts';
import type { Figures } from '../figures/use-figures.ts';
import type { KnownText } from '../saving/text-keeper.ts';
import type { SourcePane } from '../source/source-pane.tsx';
import { insertChanges } from '../use-editor-handle.ts';
import type { OpenFiles } from './use-open-files.ts';
import type { Project } from './use-project.ts';

// a document of one text loads none of them
const FileTree = lazy(async () => ({
  default: (await retryImport(() => import('./file-tree.tsx'))).FileTree,
}));
const FileEditor = lazy(async () => ({
  default: (await retryImport(() => import('./file-editor.tsx'))).FileEditor,
}));

const FileHistory = lazy(async () => ({
  default: (await retryImport(() => import('./file-history.tsx'))).FileHistory,
}));

interface SourceWithFilesProps {
  userId: string;
  document: SavedDocument;
  figures: Figures;
  files: OpenFiles;
  project: Project;
  /** Whether the user is adding the first file of a document. */
  isForNew: boolean;
  /** Of the last compile. */
  messages: readonly LogMessage[];
  onShowFigures: () => void;
  onUpload: (files: File[]) => void;
  onMerged: () => void;
  /** For every file's editor. */
  source: Omit<ComponentProps<typeof SourcePane>, 'latex' | 'extensions' | 'onView' | 'onChange'>;
  /** The editor of the document's own text. */
  children: ReactNode;
}

const noMessages: readonly LogMessage[] = [];

export function SourceWithFiles(props: SourceWithFilesProps) {
  const { document, figures, files, messages, children } = props;
  const listed = figures.files ?? document.figures;
  const names = useMemo(() => listed.map(({ name }) => name), [listed]);
  const hasTexts = props.isForNew || names.some(isTextFile);
  const known = useKnownTexts(document, figures);
  const [historyOf, setHistoryOf] = useState<string | null>(null);
  const byFile = useMemo(() => {
    const groups = new Map<string, LogMessage[]>();
    for (const message of messages)
      if (message.file !== null) groups.set(message.file, [...(groups.get(message.file) ?? []), message]);
    return groups;
  }, [messages]);

  return (
    <div className="@container flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col @xl:flex-row">
        {hasTexts && (
          <Suspense>
            <FileTree
              mainName={document.main_name ?? 'main.tex'}
              names={names}
              isForNew={props.isForNew}
              current={files.current}
              onOpen={(name) => void files.show(name)}
              onShowFigure={props.onShowFigures}
              onUpload={props.onUpload}
              onCreate={async (name) => {
                const isDone = await figures.create(name, startOf(name));
                if (isDone) void files.show(name);
                return isDone;
              }}
              onRename={async (from, to) => {
                // its editor holds what is not saved yet
                if (!(await files.saveAll()) || !(await figures.rename(from, to))) return false;
                const wasShown = files.current === from;
                files.close(from);
                if (wasShown) void files.show(to);
                return true;
              }}
              onShowHistory={setHistoryOf}
              onRemove={async (name) => {
                await files.saveAll();
                const isDone = await figures.remove(name);
                if (isDone) files.close(name);
                return isDone;
              }}
            />
          </Suspense>
        )}
        <div className={cn('flex min-h-0 min-w-0 flex-1 flex-col', files.current !== null && 'hidden')}>
          {children}
        </div>
        {files.opened.map((name) => {
          const text = known(name);
          return (
            text && (
              <Suspense key={name}>
                <FileEditor
                  {...props.source}
                  userId={props.userId}
                  document={document}
                  name={name}
                  known={text}
                  isShown={files.current === name}
                  files={files}
                  project={props.project}
                  messages={byFile.get(name) ?? noMessages}
                  onText={figures.setText}
                  onMerged={props.onMerged}
                />
              </Suspense>
            )
          );
        })}
      </div>
      {historyOf !== null && (
        <Suspense>
          <FileHistory
            documentId={document.id}
            name={historyOf}
            onRestore={async (latex) => {
              const editor = await files.show(historyOf);
              setHistoryOf(null);
              if (!editor) return;
              const whole = { from: 0, to: editor.state.doc.length, insert: latex };
              insertChanges(editor, [whole], 'An earlier version has been restored');
            }}
            onClose={() => setHistoryOf(null)}
          />
        </Suspense>
      )}
    </div>
  );
}

/** A file with nothing in it cannot be saved. */
function startOf(name: string): string {
  return /\.(?:csv|tsv|dat)$/i.test(name) ? '\n' : `% ${name}\n`;
}

/**
 * Reads what the server has of a file, as its editor begins with it. Its version is that of the document as it was
 * loaded, and 1 for a file made since; if it is another one by now, the first save says so and both are merged.
 */
function useKnownTexts(document: SavedDocument, figures: Figures): (name: string) => KnownText | null {
  const read = useRef(new Map<string, KnownText>());
  return (name) => {
    const before = read.current.get(name);
    if (before) return before;
    const figure = figures.files?.find((one) => one.name === name);
    const latex = figure && readFigureText(figure);
    if (figure === undefined || latex === undefined) return null;
    const version = document.figures.find((one) => one.name === name)?.version ?? 1;
    const known = {
      version,
      latex: latex ?? new TextDecoder('windows-1252').decode(decodeBase64(figure.data_base64)),
    };
    read.current.set(name, known);
    return known;
  };
}
