import type { LogMessage } from '#shared/api/errors.ts';
import type { CompileSession, LiveState } from '#web/lib/compile-session/live-state.ts';
import { cn } from '#web/ui/cn.ts';
import { StopButton } from '#web/ui/controls/stop-button.tsx';
import { LineButton } from '#web/ui/line-button.tsx';
import { type ApplyFixes, FixAllButton, FixButton } from '#web/ui/source-editor/fix-buttons.tsx';

interface LiveLineProps {
  /** Null: there is nothing to stop. */
  session: CompileSession | null;
  live: LiveState;
  onJump: (line: number) => void;
  onFix: ApplyFixes;
}

/**
 * A line under the source that says whether the page is up to date. It is always there, so that nothing moves while
 * typing, and stands out only when a problem persists.
 */
export function LiveLine({ session, live, onJump, onFix }: LiveLineProps) {
  const { status, report } = live;
  const errors = report?.messages.filter(({ level }) => level === 'error') ?? [];
  const isBroken = report !== null && !report.isGood && status !== 'shown' && status !== 'stopped';
  const first = isBroken ? errors[0] : undefined;
  return (
    <div className="flex min-h-10 shrink-0 items-center gap-2 border-t border-hairline px-3 py-1 text-[0.8125rem]">
      <span
        aria-hidden="true"
        className={cn(
          'size-1.5 shrink-0 rounded-full transition-colors duration-150',
          isBroken || status === 'waiting' ? 'bg-red' : status === 'shown' ? 'bg-green' : 'bg-edge',
        )}
      />
      <p role="status" className="flex min-w-0 flex-1 items-baseline gap-2 text-graphite">
        {first ? (
          <ErrorLine message={first} more={errors.length - 1} onJump={onJump} />
        ) : (
          <span className="truncate">{describeState(live)}</span>
        )}
      </p>
      <FixButton session={session} onApply={onFix} />
      {errors.length > 1 && <FixAllButton session={session} onApply={onFix} className="max-sm:hidden" />}
      {session && (
        <StopButton
          state={status === 'working' || status === 'stopped' ? status : 'idle'}
          onStop={session.stop}
          onAgain={session.again}
        />
      )}
    </div>
  );
}

function describeState({ status, problem, incomplete }: LiveState): string {
  if (problem) return problem;
  const page = incomplete ? 'The page is incomplete.' : 'The page shows an earlier version.';
  switch (status) {
    case 'shown':
      return 'The page is up to date.';
    case 'failed':
      return `This does not compile. ${page}`;
    case 'stopped':
      return `Stopped. ${page}`;
    case 'waiting':
      return 'Waiting for the server.';
    default:
      // a status that named each step while typing would change with every keystroke
      return 'Updating preview…';
  }
}

function ErrorLine({
  message,
  more,
  onJump,
}: {
  message: LogMessage;
  more: number;
  onJump: (line: number) => void;
}) {
  return (
    <>
      <LineButton line={message.line} onJump={onJump} />
      <span className="truncate" title={message.explanation ?? message.message}>
        {message.explanation ?? message.message}
      </span>
      {more > 0 && (
        <span className="shrink-0 tabular-nums">
          +{more} <span className="max-sm:hidden">more</span>
        </span>
      )}
    </>
  );
}
