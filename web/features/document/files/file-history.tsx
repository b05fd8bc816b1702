import { useEffect, useState } from 'react';
import type { FileVersions } from '#shared/api/library.ts';
import { describeError } from '#web/lib/api/describe-error.ts';
import { getFileVersion, listFileVersions } from '#web/lib/api/document-api.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Loading } from '#web/ui/controls/loading.tsx';
import { ScrollArea } from '#web/ui/controls/scroll-area.tsx';
import { Dialog } from '#web/ui/dialogs/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { describeDay, describeTime } from '../history/group-versions.ts';

interface FileHistoryProps {
  documentId: string;
  name: string;
  /** Replaces the current text with an earlier one, as one undo step. */
  onRestore: (latex: string) => void;
  onClose: () => void;
}

/** A file's earlier texts: view one, and restore it. */
export function FileHistory({ documentId, name, onRestore, onClose }: FileHistoryProps) {
  const [list, setList] = useState<FileVersions['versions'] | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [latex, setLatex] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const end = new AbortController();
    listFileVersions(documentId, name, end.signal).then(
      (answer) => {
        if (!answer.ok) return setProblem(describeError(answer.error));
        setList(answer.data.versions);
        setChosen(answer.data.versions[0]?.ended_at ?? null);
      },
      // closed
      () => undefined,
    );
    return () => end.abort();
  }, [documentId, name]);
  useEffect(() => {
    setLatex(null);
    if (chosen === null) return;
    const end = new AbortController();
    getFileVersion(documentId, name, chosen, end.signal).then(
      (answer) => (answer.ok ? setLatex(answer.data.latex) : setProblem(describeError(answer.error))),
      () => undefined,
    );
    return () => end.abort();
  }, [documentId, name, chosen]);

  return (
    <Dialog
      isOpen
      size="wide"
      title={`Earlier versions of ${name}`}
      description="Each is shown with the time at which it was replaced."
      onClose={onClose}
    >
      {problem && <Notice tone="error" title={problem} />}
      {!problem && list === null && <Loading />}
      {list?.length === 0 && <p className="py-6 text-graphite">None yet: this file has not been changed.</p>}
      {list && list.length > 0 && (
        <div className="grid gap-4 sm:grid-cols-[12rem_minmax(0,1fr)]">
          <ScrollArea label="Times" className="max-h-40 overflow-y-auto sm:max-h-[50dvh]">
            <ul>
              {list.map(({ ended_at, length }) => (
                <li key={ended_at}>
                  <button
                    type="button"
                    aria-pressed={ended_at === chosen}
                    onClick={() => setChosen(ended_at)}
                    className="flex min-h-9 w-full flex-wrap items-baseline justify-between gap-x-2 rounded-md px-2.5 py-1.5 text-left text-[0.8125rem] hover:bg-wash aria-pressed:bg-wash aria-pressed:font-medium pointer-coarse:min-h-11"
                  >
                    <time dateTime={ended_at}>
                      {describeDay(ended_at, Date.now())}, {describeTime(ended_at)}
                    </time>
                    <span className="text-xs text-graphite tabular-nums">
                      {length.toLocaleString('en-GB')} characters
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </ScrollArea>
          <div className="grid min-w-0 content-start gap-3">
            <ScrollArea
              label="Text"
              className="h-[40dvh] overflow-auto rounded-lg border border-hairline bg-paper p-3 sm:h-[50dvh]"
            >
              {latex === null ? (
                <Loading />
              ) : (
                <pre className="font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">{latex}</pre>
              )}
            </ScrollArea>
            <Button
              variant="primary"
              className="justify-self-end"
              disabled={latex === null}
              onClick={() => latex !== null && onRestore(latex)}
            >
              Restore this version
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
