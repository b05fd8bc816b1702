import { useState } from 'react';
import type { VersionSummary } from '#shared/api/library.ts';
import { describeError } from '#web/lib/api/describe-error.ts';
import { nameVersion } from '#web/lib/api/document-api.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Spinner } from '#web/ui/controls/loading.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { EditorHandle } from '../editor-handle.ts';
import { CompareScreen } from './compare-screen.tsx';
import { describeTime, groupVersions } from './group-versions.ts';
import { restoreText } from './restore-version.ts';
import { useVersions } from './use-versions.ts';
import { HistoryLineRow, NothingYet } from './version-row.tsx';

interface HistoryPanelProps {
  handle: EditorHandle;
  /** The newest version known to the page. */
  version: number;
}

/** All saves, by day: view, compare, name and restore them. */
export function HistoryPanel({ handle, version }: HistoryPanelProps) {
  const { documentId } = handle;
  const { versions, isLoading, error, hasMore, isLoadingMore, loadMore, reload } = useVersions(
    documentId,
    version,
  );
  const [pair, setPair] = useState<{ from: number; to: number } | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [news, setNews] = useState<{ tone: 'info' | 'error'; text: string } | null>(null);
  const present = versions[0]?.version ?? version;

  // the newest is compared with the one before it, any other with the newest
  const handleCompare = (chosen: VersionSummary) => {
    const before = versions[versions.indexOf(chosen) + 1];
    setPair(
      chosen.version === present
        ? { from: before?.version ?? present, to: present }
        : { from: chosen.version, to: present },
    );
  };
  const handleRestore = async (chosen: VersionSummary) => {
    setIsBusy(true);
    setNews(null);
    const outcome = await restoreText(handle, chosen.version);
    setIsBusy(false);
    setPair(null);
    const what = `The text of ${describeTime(chosen.created_at)}`;
    if (outcome.kind === 'failed') setNews({ tone: 'error', text: outcome.message });
    else if (outcome.kind === 'same') setNews({ tone: 'info', text: `${what} is already the current one.` });
    else setNews({ tone: 'info', text: `${what} is restored. The previous text is in the history.` });
    await reload();
  };
  const handleName = async (chosen: VersionSummary, name: string | null) => {
    const answer = await nameVersion(documentId, chosen.version, name);
    await reload();
    return answer.ok ? null : describeError(answer.error);
  };

  return (
    <div className="h-full overflow-y-auto pb-6">
      {news && <Notice tone={news.tone} title={news.text} className="m-3" onDismiss={() => setNews(null)} />}
      {isLoading && (
        <p role="status" className="flex items-center gap-2 px-4 py-4 text-[0.8125rem] text-graphite">
          <Spinner className="size-4" /> Loading the history
        </p>
      )}
      {error && (
        <Notice
          tone="error"
          title={describeError(error)}
          className="m-3"
          actions={
            <Button size="small" onClick={() => void reload()}>
              Try again
            </Button>
          }
        />
      )}
      {groupVersions(versions, Date.now()).map((day) => (
        <section key={day.label} aria-label={day.label} className="pt-3">
          <h3 className="px-4 pb-1 text-xs font-medium text-graphite">{day.label}</h3>
          <ol>
            {day.lines.map((line) => (
              <HistoryLineRow
                // a row's oldest version stays the same when new saves are added
                key={(line.earlier.at(-1) ?? line.version).version}
                line={line}
                present={present}
                isBusy={isBusy}
                onCompare={handleCompare}
                onRestore={(chosen) => void handleRestore(chosen)}
                onName={handleName}
              />
            ))}
          </ol>
        </section>
      ))}
      {versions.length === 1 && <NothingYet />}
      {hasMore && (
        <Button size="small" className="mx-4 mt-3" isBusy={isLoadingMore} onClick={loadMore}>
          Show older
        </Button>
      )}
      {pair && (
        <CompareScreen
          documentId={documentId}
          versions={versions}
          {...pair}
          onChoose={setPair}
          isBusy={isBusy}
          onRestore={(chosen) => void handleRestore(chosen)}
          onClose={() => setPair(null)}
        />
      )}
    </div>
  );
}
