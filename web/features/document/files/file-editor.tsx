import type { EditorView } from '@codemirror/view';
import { type ComponentProps, useEffect, useMemo, useRef, useState } from 'react';
import type { LogMessage } from '#shared/api/errors.ts';
import { cn } from '#web/ui/cn.ts';
import { showReport } from '#web/ui/source-editor/compile-report.ts';
import type { KnownText } from '../saving/text-keeper.ts';
import { SourcePane } from '../source/source-pane.tsx';
import { readEditor, tellSaver } from '../unsent/editor-text.ts';
import { MergeHost } from '../unsent/merge/merge-host.tsx';
import { openSaver } from '../unsent/open-saver.ts';
import type { Saver } from '../unsent/saver.ts';
import { followReferences } from './follow-references.ts';
import type { OpenFiles } from './use-open-files.ts';
import type { Project } from './use-project.ts';

type SourceProps = Omit<ComponentProps<typeof SourcePane>, 'latex' | 'extensions' | 'onView' | 'onChange'>;

interface FileEditorProps extends SourceProps {
  userId: string;
  document: { id: string; title: string };
  name: string;
  /** As loaded from the server. Read once. */
  known: KnownText;
  isShown: boolean;
  files: OpenFiles;
  project: Project;
  /** Of the last compile, in this file. */
  messages: readonly LogMessage[];
  /** Called with the whole text some moments after a change, for compiling. */
  onText: (name: string, text: string) => void;
  onMerged: () => void;
}

/** Pause between a change and its compile, in ms: a file's text is sent as what differs, which costs a comparison. */
const compileMs = 120;

/** One of the document's files, with its own saver and undo history. */
export function FileEditor(props: FileEditorProps) {
  const { userId, document, name, known, isShown, files, project, messages, onText, onMerged, ...source } =
    props;
  const [view, setView] = useState<EditorView | null>(null);
  const [saver, setSaver] = useState<Saver | null>(null);
  const latest = useRef({ saver, files, onText, figureNames: source.figureNames, onMerged });
  latest.current = { saver, files, onText, figureNames: source.figureNames, onMerged };
  const first = useRef({ userId, document, known });
  const { setView: tellView, setSaver: tellOfSaver } = files;

  const text = useMemo(() => view && readEditor(view), [view]);
  useEffect(() => {
    tellView(name, view);
    return () => tellView(name, null);
  }, [name, view, tellView]);
  useEffect(() => {
    if (!text) return;
    const { userId: user, document: opened, known: base } = first.current;
    const made = openSaver({
      userId: user,
      document: { ...opened, ...base },
      file: name,
      text,
      onMerged: () => latest.current.onMerged(),
    });
    setSaver(made);
    tellOfSaver(name, made);
    return () => {
      setSaver(null);
      tellOfSaver(name, null);
      void made.close();
    };
  }, [name, text, tellOfSaver]);
  useEffect(() => {
    if (!view || !isShown) return;
    // it may have been mounted without a size
    view.requestMeasure();
    view.focus();
  }, [view, isShown]);
  useEffect(() => {
    if (view) showReport(view, { messages, text: null });
  }, [view, messages]);

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const extensions = useMemo(
    () => [
      tellSaver(() => latest.current.saver),
      project.extensionFor(name),
      followReferences({
        file: name,
        listNames: () => latest.current.figureNames,
        onOpen: (file) => void latest.current.files.show(file),
      }),
    ],
    [name, project],
  );

  return (
    <div className={cn('flex min-h-0 min-w-0 flex-1 flex-col', !isShown && 'hidden')}>
      {isShown && <MergeHost saver={saver} text={text} />}
      <SourcePane
        {...source}
        latex={known.latex.replace(/\r\n?/g, '\n')}
        extensions={extensions}
        onView={setView}
        onChange={(latex) => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => latest.current.onText(name, latex), compileMs);
        }}
      />
    </div>
  );
}
