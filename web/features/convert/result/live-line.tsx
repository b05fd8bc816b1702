import type { LogFix, LogMessage } from '#shared/api/errors.ts';
import type { LiveState } from '#web/lib/compile-session/compile-session.ts';
import { cn } from '#web/ui/cn.ts';
import { Button } from '#web/ui/controls/button.tsx';

interface LiveLineProps {
  live: LiveState;
  /** The text as it stands: a fix is offered for the text that was compiled. */
  latex: string;
  onJump: (line: number) => void;
  onFix: (fix: LogFix) => void;
}

/**
 * One line under the source that says how the page stands to it. It is always there, so that nothing moves while
 * somebody types, and speaks up only about what stays wrong.
 */
export function LiveLine({ live, latex, onJump, onFix }: LiveLineProps) {
  const { status, report, problem } = live;
  const errors = report?.messages.filter(({ level }) => level === 'error') ?? [];
  const isBroken = report !== null && !report.isGood && status !== 'shown';
  const first = isBroken ? errors[0] : undefined;
  const fix = report?.latex === latex ? first?.fix : undefined;
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
          <span className="truncate">{describeState(live, problem)}</span>
        )}
      </p>
      {fix && (
        <Button size="small" variant="quiet" title={fix.title} onClick={() => onFix(fix)}>
          Apply fix
        </Button>
      )}
    </div>
  );
}

function describeState({ status }: LiveState, problem: string | null): string {
  if (problem) return problem;
  switch (status) {
    case 'shown':
      return 'The page is up to date.';
    case 'failed':
      return 'This does not compile. The page is from before.';
    case 'waiting':
      return 'Waiting for the server.';
    default:
      // said while a word is typed, it would change with every key
      return 'The page follows what you type.';
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
  const { line } = message;
  return (
    <>
      {line !== null && (
        <button
          type="button"
          className="-my-1 min-h-8 shrink-0 rounded font-medium text-red underline decoration-red/40 underline-offset-4 hover:decoration-red pointer-coarse:min-h-11"
          onClick={() => onJump(line)}
        >
          Line {line}
        </button>
      )}
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
