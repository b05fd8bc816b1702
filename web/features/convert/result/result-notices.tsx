import { useState } from 'react';
import type { LogMessage } from '#shared/api/errors.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { LineButton } from '#web/ui/line-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { isSample } from '../run/samples.ts';
import type { Converter } from '../run/use-converter.ts';

interface ResultNoticesProps {
  converter: Converter;
  /** The PDF shown is older than the LaTeX. */
  isStale: boolean;
  /** The requested compile was stopped. */
  wasStopped: boolean;
  onJump: (line: number) => void;
  onNew: () => void;
}

/** The embedded reader's warnings about handwriting. */
const ofHandwriting = new Set(['HANDWRITING_UNSURE', 'HANDWRITING_NOT_READ']);

/** What needs attention, above the result: errors with their lines, failed pages, a newer delivery. */
export function ResultNotices({ converter, isStale, wasStopped, onJump, onNew }: ResultNoticesProps) {
  const { state, dispatch } = converter;
  const failed = state.pages.filter((page) => page.state === 'failed');
  const retrying = state.loading && state.conversionState === 'reading';
  const isOver = state.conversionState === 'expired' || state.conversionState === 'cancelled';
  const hasError = state.errorObj !== null;
  /** The conversion whose warnings about handwriting were dismissed. */
  const [dismissed, setDismissed] = useState<string | null>(null);
  const handwriting =
    state.conversionId !== dismissed ? state.warnings.find(({ code }) => ofHandwriting.has(code)) : undefined;
  const isQuiet =
    !hasError && !isStale && !wasStopped && failed.length === 0 && !retrying && !state.pendingResult;
  const isSampleShown = isSample(state.conversionId);
  if (isQuiet && !handwriting && !isSampleShown) return null;

  return (
    <div className="grid max-h-[45%] shrink-0 gap-2 overflow-y-auto border-b border-hairline p-2">
      {isSampleShown && (
        <div className="flex items-center gap-3 pl-1">
          <p className="min-w-0 flex-1 text-[0.8125rem] text-graphite">
            A sample page, read without an AI key. Edit and check it like your own.
          </p>
          <Button size="small" variant="primary" onClick={onNew}>
            Convert your notes
          </Button>
        </div>
      )}
      {state.errorObj && (
        <Notice
          tone="error"
          title={state.error || 'Unexpected error occurred.'}
          onDismiss={() => dispatch({ type: 'errorDismissed' })}
        >
          <MessageList messages={state.errorObj.messages ?? []} onJump={onJump} />
        </Notice>
      )}
      {state.pendingResult && (
        <Notice
          tone="info"
          title="A new version with the missing page is ready."
          actions={
            <>
              <Button
                size="small"
                variant="primary"
                onClick={() => dispatch({ type: 'pendingResultAccepted' })}
              >
                Use it
              </Button>
              <Button size="small" onClick={() => dispatch({ type: 'pendingResultDeclined' })}>
                Keep my edits
              </Button>
            </>
          }
        >
          Using it replaces your edits.
        </Notice>
      )}
      {retrying && (
        <Notice tone="info" title="Reading the page again. The document stays as it is until then." />
      )}
      {!retrying && failed.length > 0 && (
        <Notice
          tone="warning"
          title={
            failed.length === 1
              ? `Page ${failed[0]?.number} could not be read and is not in the document.`
              : `${failed.length} pages could not be read and are not in the document.`
          }
          actions={
            !isOver &&
            failed.slice(0, 6).map((page) => (
              <Button key={page.number} size="small" onClick={() => converter.retry(page.number)}>
                Read page {page.number} again
              </Button>
            ))
          }
        />
      )}
      {handwriting && !isSampleShown && (
        <Notice
          tone="info"
          title="Handwriting, read without an AI key"
          onDismiss={() => setDismissed(state.conversionId)}
        >
          {handwriting.message}
        </Notice>
      )}
      {(wasStopped || (isStale && !state.isCompiling)) && (
        <p className="px-1 text-[0.8125rem] text-graphite" role="status">
          {wasStopped && 'Stopped. '}
          {isStale && 'This PDF does not include your last edit.'}
        </p>
      )}
    </div>
  );
}

function MessageList({ messages, onJump }: { messages: LogMessage[]; onJump: (line: number) => void }) {
  const shown = messages.filter((message) => message.level === 'error').slice(0, 20);
  if (shown.length === 0) return null;
  return (
    <ul className="grid gap-1.5">
      {shown.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one compile's messages never move
        <li key={index} className="grid gap-0.5">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <LineButton line={message.line} onJump={onJump} />
            <span className="font-mono text-[0.8125rem] break-words text-ink">{message.message}</span>
          </span>
          {message.explanation && <span>{message.explanation}</span>}
          {message.suggestion && <span>Try: {message.suggestion}</span>}
        </li>
      ))}
    </ul>
  );
}
