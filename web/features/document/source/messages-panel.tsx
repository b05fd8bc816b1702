import { ChevronDown, ChevronUp } from 'lucide-react';
import { useState } from 'react';
import type { LogMessage } from '#shared/api/errors.ts';
import type { CompileSession, LiveState } from '#web/lib/compile-session/live-state.ts';
import { useLiveState } from '#web/lib/compile-session/use-compile-session.ts';
import { cn } from '#web/ui/cn.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Spinner } from '#web/ui/controls/loading.tsx';
import { ScrollArea } from '#web/ui/controls/scroll-area.tsx';
import { StopButton } from '#web/ui/controls/stop-button.tsx';
import { LineButton } from '#web/ui/line-button.tsx';
import { type ApplyFixes, FixAllButton, FixButton } from '#web/ui/source-editor/fix-buttons.tsx';

interface MessagesPanelProps {
  session: CompileSession | null;
  /** `line` is a line of the compiled text, or of the file that is named. */
  onJump: (line: number, file: string | null) => void;
  /** Names of the document's files: a message in another one, such as a package, leads nowhere. */
  files: readonly string[];
  onFix: ApplyFixes;
  /** The assistant can explain and fix errors too. */
  onAskAssistant: () => void;
}

/** Nobody would read more: the first ones are fixed first. */
const maxShown = 100;

/**
 * The line under the source that says whether the page is up to date, and above it, on request, all messages from
 * TeX.
 */
export function MessagesPanel(props: MessagesPanelProps) {
  const { session, onJump } = props;
  const status = useLiveState(session, (live) => live.status);
  const problem = useLiveState(session, (live) => live.problem);
  const report = useLiveState(session, (live) => live.report);
  const isIncomplete = useLiveState(session, (live) => live.incomplete !== null);
  const fixedMessage = useLiveState(session, ({ fix }) => (fix?.kind === 'fix' ? fix.of : null));
  const [isOpen, setIsOpen] = useState(false);
  const messages = report?.messages ?? [];
  const errors = messages.filter(({ level }) => level === 'error');
  const others = messages.filter(({ level }) => level !== 'error');
  // during the next compile the last report is still valid
  const isBroken = report !== null && !report.isGood;
  const first = isBroken && status !== 'stopped' ? errors[0] : undefined;
  const listed = [...errors, ...others].slice(0, maxShown);
  const fixedAt = listed.findIndex(({ message }) => message === fixedMessage);
  return (
    <>
      {isOpen && messages.length > 0 && (
        <ScrollArea
          label="Messages"
          className="max-h-[40%] shrink-0 overflow-y-auto border-t border-hairline bg-paper"
        >
          <ul className="divide-y divide-hairline">
            {listed.map((message, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: one compile's messages never move
              <Message key={index} message={message} hasFix={index === fixedAt} {...props} />
            ))}
          </ul>
          {messages.length > maxShown && (
            <p className="px-3 py-2 text-xs text-graphite">And {messages.length - maxShown} more.</p>
          )}
        </ScrollArea>
      )}
      <div className="flex min-h-10 shrink-0 items-center gap-2 border-t border-hairline px-3 text-[0.8125rem]">
        <Light isBad={isBroken || status === 'waiting'} status={status} />
        <p role="status" className="flex min-w-0 flex-1 items-baseline gap-2 text-graphite">
          {first ? (
            <>
              <PlaceButton message={first} files={props.files} onJump={onJump} />
              <span className="truncate" title={first.explanation ?? first.message}>
                {first.explanation ?? first.message}
              </span>
            </>
          ) : (
            <span className="truncate">{problem ?? describeState(status, { isBroken, isIncomplete })}</span>
          )}
        </p>
        <FixButton session={session} onApply={props.onFix} />
        {errors.length > 1 && (
          <FixAllButton session={session} onApply={props.onFix} className="max-sm:hidden" />
        )}
        <StopButton
          state={status === 'working' || status === 'stopped' ? status : 'idle'}
          onStop={() => session?.stop()}
          onAgain={() => session?.again()}
        />
        {messages.length > 0 && (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
            className="-mr-1.5 flex min-h-8 shrink-0 items-center gap-1 rounded-md px-1.5 text-xs text-graphite tabular-nums hover:bg-wash hover:text-ink pointer-coarse:min-h-11"
          >
            {count(errors.length, 'error')}
            {errors.length > 0 && others.length > 0 && ', '}
            {count(others.length, 'warning')}
            {isOpen ? <ChevronDown className="size-3.5" /> : <ChevronUp className="size-3.5" />}
          </button>
        )}
      </div>
    </>
  );
}

function Light({ status, isBad }: { status: LiveState['status']; isBad: boolean }) {
  // as wide as the status dot
  if (status === 'working') return <Spinner className="-mx-[3px] size-3" />;
  return (
    <span
      aria-hidden="true"
      className={cn(
        'size-1.5 shrink-0 rounded-full',
        isBad ? 'bg-red' : status === 'shown' ? 'bg-green' : 'bg-edge',
      )}
    />
  );
}

interface MessageProps extends MessagesPanelProps {
  message: LogMessage;
  /** The offered fix is for this message. */
  hasFix: boolean;
}

function Message({ message, hasFix, session, files, onJump, onFix, onAskAssistant }: MessageProps) {
  const isError = message.level === 'error';
  const { explanation, suggestion } = message;
  return (
    <li className={cn('grid gap-1 px-3 py-2.5 text-[0.8125rem]', !isError && 'text-graphite')}>
      <p className="flex flex-wrap items-baseline gap-x-2">
        {isError && <span className="sr-only">Error. </span>}
        <PlaceButton message={message} files={files} onJump={onJump} isQuiet={!isError} />
        <span className={cn('min-w-0 font-mono text-xs break-words', isError && 'text-ink')}>
          {message.message}
        </span>
      </p>
      {explanation && <p>{explanation}</p>}
      {suggestion && <p className="text-graphite">Try: {suggestion}</p>}
      {(isError || hasFix) && (
        <p className="flex flex-wrap gap-2">
          {isError && (
            <Button size="small" variant="quiet" className="-ml-3" onClick={onAskAssistant}>
              Ask the assistant
            </Button>
          )}
          {/* at the end: it arrives a moment later and moves nothing */}
          {hasFix && <FixButton session={session} onApply={onFix} isWordy />}
          {hasFix && isError && <FixAllButton session={session} onApply={onFix} className="sm:hidden" />}
        </p>
      )}
    </li>
  );
}

interface PlaceButtonProps extends Pick<MessagesPanelProps, 'files' | 'onJump'> {
  message: LogMessage;
  isQuiet?: boolean;
}

function PlaceButton({ message, files, onJump, isQuiet }: PlaceButtonProps) {
  const file = message.file !== null && files.includes(message.file) ? message.file : null;
  return (
    <LineButton line={message.line} file={file} onJump={(line) => onJump(line, file)} isQuiet={isQuiet} />
  );
}

function count(number: number, word: string): string {
  return number === 0 ? '' : `${number} ${word}${number === 1 ? '' : 's'}`;
}

interface PageFacts {
  isBroken: boolean;
  isIncomplete: boolean;
}

function describeState(status: LiveState['status'], { isBroken, isIncomplete }: PageFacts): string {
  const page = isIncomplete ? 'The page is incomplete.' : 'The page shows an earlier version.';
  if (status === 'stopped') return `Stopped. ${page}`;
  if (isBroken || status === 'failed') return `This does not compile. ${page}`;
  switch (status) {
    case 'shown':
      return 'The page is up to date.';
    case 'waiting':
      return 'Waiting for the server.';
    default:
      // a status that named each step while typing would change with every keystroke
      return 'Updating preview…';
  }
}
