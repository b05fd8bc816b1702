import { RotateCcw, TextSelect } from 'lucide-react';
import { spellOutHidden } from '#latex/source/hidden-characters.ts';
import type { Turn } from '#shared/api/assistant.ts';
import { Button } from '#web/ui/controls/button.tsx';
import type { Assistant } from './assistant.ts';
import { MessageText } from './message-text.tsx';

interface TurnViewProps {
  assistant: Assistant;
  turn: Turn;
  /** Its change is shown in the source now. */
  isOpen: boolean;
  isLast: boolean;
}

/** A question with its answer, and the outcome of its change. */
export function TurnView({ assistant, turn, isOpen, isLast }: TurnViewProps) {
  const { message, scope, answer, state } = turn;
  const outcome = describeOutcome(turn, isOpen);
  const canRetry = isLast && (state === 'failed' || state === 'interrupted' || state === 'cancelled');
  return (
    <li className="grid gap-2">
      <div className="ml-8 justify-self-end rounded-xl rounded-br-sm bg-wash px-3 py-2 text-sm whitespace-pre-line [overflow-wrap:anywhere]">
        <span className="sr-only">You asked: </span>
        {spellOutHidden(message)}
        {scope && (
          <span className="mt-1 flex items-center gap-1.5 text-xs text-graphite">
            <TextSelect className="size-3.5 shrink-0" aria-hidden="true" />
            <span className="sr-only">About the selection: </span>
            <span className="line-clamp-1 font-mono">
              {spellOutHidden(scope.trim().split('\n', 1)[0] ?? '')}
            </span>
          </span>
        )}
      </div>
      {answer.trim() !== '' && <MessageText text={answer.trim()} />}
      {outcome && (
        <p className={outcome.isProblem ? 'text-[0.8125rem] text-red' : 'text-xs text-graphite'}>
          {outcome.text}
        </p>
      )}
      {(canRetry || (turn.change && !isOpen)) && (
        <div className="flex flex-wrap gap-2">
          {canRetry && (
            <Button
              size="small"
              icon={<RotateCcw className="size-3.5" />}
              disabled={assistant.isBusy}
              onClick={() => void assistant.askAgain(turn)}
            >
              Ask again
            </Button>
          )}
          {turn.change && !isOpen && (
            <Button size="small" onClick={() => assistant.reopen(turn)}>
              Show the change
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

function describeOutcome(turn: Turn, isOpen: boolean): { text: string; isProblem: boolean } | null {
  const { decision, error } = turn;
  switch (turn.state) {
    case 'running':
    case 'answered':
      return null;
    case 'cancelled':
      return { text: 'Stopped. Nothing was charged.', isProblem: false };
    case 'interrupted':
      return {
        text: 'The server stopped before the answer was complete. Nothing was charged.',
        isProblem: true,
      };
    case 'failed':
      if (error?.code === 'INSUFFICIENT_CREDITS')
        return { text: 'You have no AI conversation left for this change.', isProblem: true };
      return { text: error?.error || 'This could not be answered. Nothing was charged.', isProblem: true };
    case 'changed': {
      if (decision) return { text: describeDecision(decision.accepted, decision.rejected), isProblem: false };
      return isOpen ? null : { text: 'A change was proposed.', isProblem: false };
    }
  }
}

function describeDecision(accepted: number, rejected: number): string {
  if (rejected === 0) return accepted === 1 ? 'Change accepted.' : `All ${accepted} changes accepted.`;
  if (accepted === 0) return rejected === 1 ? 'Change rejected.' : 'All changes rejected.';
  return `${accepted} of ${accepted + rejected} changes accepted.`;
}
