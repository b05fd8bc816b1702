import { Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { TurnStage } from '#shared/api/assistant.ts';
import { useMediaQuery } from '#web/lib/hooks/use-media-query.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Spinner } from '#web/ui/controls/loading.tsx';
import { ScrollArea } from '#web/ui/controls/scroll-area.tsx';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { EditorHandle } from '../editor-handle.ts';
import { type AssistantState, useAssistant } from './assistant.ts';
import { Composer } from './composer.tsx';
import { EmptyConversation } from './empty-conversation.tsx';
import { ProposalCard } from './proposal-card.tsx';
import { TurnView } from './turn-view.tsx';

interface AssistantPanelProps {
  handle: EditorHandle;
  /** Called when a place in the source is to be shown that this panel covers. */
  onUncover: () => void;
}

/** Below this width the drawer covers the source. */
const covers = '(width < 48rem)';

/** The conversation about a document: questions and answers, the open proposal, and the request box. */
export function AssistantPanel({ handle, onUncover }: AssistantPanelProps) {
  const isCovering = useMediaQuery(covers);
  const { assistant, state } = useAssistant(handle);
  const { turns, proposal } = state;
  const box = useRef<HTMLTextAreaElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [draft, setDraft] = useState('');
  const [isClearing, setIsClearing] = useState(false);

  const handleExample = (example: string) => {
    setDraft(example);
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(example.length, example.length);
    });
  };
  const last = turns.at(-1);
  useFollow(
    list,
    `${turns.length} ${last?.answer.length} ${last?.state} ${state.stage} ${proposal?.requestId}`,
  );

  return (
    <div className="flex h-full min-h-0 flex-col">
      <ScrollArea ref={list} label="Conversation" className="min-h-0 flex-1 overflow-y-auto p-3">
        {state.problem && (
          <Notice
            tone="error"
            title={state.problem}
            actions={<Button onClick={() => void assistant.fetch()}>Try again</Button>}
          />
        )}
        {turns.length === 0 && !state.problem && (
          <EmptyConversation hasModel={state.hasModel} onChoose={handleExample} />
        )}
        <ol className="grid gap-5">
          {turns.map((turn) => (
            <TurnView
              key={turn.request_id}
              assistant={assistant}
              turn={turn}
              isOpen={proposal?.requestId === turn.request_id}
              isLast={turn === last}
            />
          ))}
        </ol>
        <Progress state={state} />
        {turns.length > 0 && !assistant.isBusy && (
          <button
            type="button"
            onClick={() => setIsClearing(true)}
            className="mt-4 inline-flex min-h-8 items-center gap-1.5 rounded-md text-xs text-graphite transition-colors duration-150 hover:text-ink pointer-coarse:min-h-11"
          >
            <Trash2 className="size-3.5" aria-hidden="true" />
            Clear the conversation
          </button>
        )}
      </ScrollArea>
      {proposal && (
        <div className="max-h-[55%] shrink-0 overflow-y-auto border-t border-hairline p-2">
          <ProposalCard
            assistant={assistant}
            proposal={proposal}
            handle={handle}
            onGoTo={(id) => {
              assistant.goTo(id);
              if (isCovering) onUncover();
            }}
          />
        </div>
      )}
      <Composer
        assistant={assistant}
        selection={state.selection}
        messages={handle.messages()}
        box={box}
        draft={draft}
        onDraft={setDraft}
      />
      <ConfirmDialog
        isOpen={isClearing}
        title="Clear the conversation?"
        text="All questions and answers about this document are removed. The document stays as it is."
        confirmLabel="Clear"
        cancelLabel="Keep it"
        onConfirm={() => void assistant.clear()}
        onClose={() => setIsClearing(false)}
      />
    </div>
  );
}

const stages: Record<TurnStage, string> = {
  thinking: 'Thinking…',
  proving: 'Compiling the change…',
  mending: 'Fixing the change…',
};

/** What is happening while an answer is in progress. */
function Progress({ state }: { state: AssistantState }) {
  const { stage, thinking, isReconnecting, turns } = state;
  const last = turns.at(-1);
  const isElsewhere = stage === null && last?.state === 'running';
  const isSpeaking = stage === 'thinking' && last?.answer !== '';
  const text = isReconnecting
    ? 'The connection was lost. The answer continues; reconnecting…'
    : isElsewhere
      ? 'Answering…'
      : stage && !isSpeaking
        ? stages[stage]
        : null;
  return (
    <div role="status" className={text ? 'mt-3' : undefined}>
      {text && (
        <p className="flex items-center gap-2 text-[0.8125rem] text-graphite">
          <Spinner className="size-4" />
          {text}
        </p>
      )}
      {stage === 'thinking' && thinking !== '' && last?.answer === '' && (
        <p
          aria-hidden="true"
          className="mt-1.5 line-clamp-3 border-l border-hairline pl-3 text-xs text-graphite"
        >
          {thinking.slice(-400)}
        </p>
      )}
    </div>
  );
}

/** Keeps the end of a growing list visible, unless the user has scrolled up. */
function useFollow(list: React.RefObject<HTMLDivElement | null>, content: string): void {
  const isAtEnd = useRef(true);
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const handleScroll = () => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 48;
    };
    element.addEventListener('scroll', handleScroll, { passive: true });
    return () => element.removeEventListener('scroll', handleScroll);
  }, [list]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the content has grown
  useEffect(() => {
    if (isAtEnd.current) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [content, list]);
}
