import { ArrowUp, CircleAlert, Square, TextSelect, X } from 'lucide-react';
import { type RefObject, useState } from 'react';
import type { LogMessage } from '#shared/api/errors.ts';
import { maxFeedbackLength } from '#shared/api/limits.ts';
import { useCredits } from '#web/lib/billing/credits.ts';
import { openCreditsDialog } from '#web/lib/billing/credits-dialog.ts';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { ConversationsLeft } from '#web/ui/conversations-left.tsx';
import { RequestBox } from '#web/ui/request-box.tsx';
import type { Assistant, AssistantState } from './assistant.ts';

interface ComposerProps {
  assistant: Assistant;
  selection: AssistantState['selection'];
  /** Messages of the newest compile. */
  messages: readonly LogMessage[];
  box: RefObject<HTMLTextAreaElement | null>;
  draft: string;
  onDraft: (draft: string) => void;
}

/** The request box: asks about the whole text, the selection, or an error. */
export function Composer({ assistant, selection, messages, box, draft, onDraft }: ComposerProps) {
  const [ignored, setIgnored] = useState<string | null>(null);
  const selected = selection && `${selection.from}-${selection.to}`;
  const scope = selected === ignored ? null : selection;
  const { isBusy } = assistant;
  const send = () => {
    const message = draft.trim();
    if (message === '' || isBusy) return;
    onDraft('');
    void assistant.ask({ message, selection: scope });
  };
  return (
    <div className="shrink-0 border-t border-hairline bg-paper">
      {!isBusy && <ErrorChips assistant={assistant} messages={messages} />}
      {scope && (
        <div className="flex items-center gap-1 pt-2 pr-2 pl-3 text-xs text-graphite">
          <TextSelect className="size-3.5 shrink-0" aria-hidden="true" />
          <span className="min-w-0 flex-1 truncate">
            Only the selection will be changed ({(scope.to - scope.from).toLocaleString('en-GB')}{' '}
            {scope.to - scope.from === 1 ? 'character' : 'characters'})
          </span>
          <IconButton size="small" label="Ask about the whole text" onClick={() => setIgnored(selected)}>
            <X />
          </IconButton>
        </div>
      )}
      <RequestBox
        id="assistant-question"
        label="Ask the assistant"
        placeholder="Ask a question or request a change"
        value={draft}
        maxLength={maxFeedbackLength}
        box={box}
        onType={onDraft}
        onSend={send}
      >
        {isBusy ? (
          <Button
            className="w-10 px-0"
            aria-label="Stop the answer"
            title="Stop the answer"
            onClick={() => void assistant.cancel()}
            icon={<Square className="size-3.5 fill-current" />}
          />
        ) : (
          <Button
            type="submit"
            variant="primary"
            className="w-10 px-0"
            aria-label="Send"
            title="Send"
            disabled={draft.trim() === ''}
            icon={<ArrowUp className="size-4" />}
          />
        )}
      </RequestBox>
      <CostLine />
    </div>
  );
}

/** The maximum number of errors offered at once; the source marks all of them. */
const errorsOffered = 2;

function ErrorChips({ assistant, messages }: { assistant: Assistant; messages: readonly LogMessage[] }) {
  const errors = messages.filter(({ level }) => level === 'error').slice(0, errorsOffered);
  if (errors.length === 0) return null;
  const ask = (intent: 'explain' | 'fix', logMessage: LogMessage) => {
    const place = logMessage.line === null ? '' : ` in line ${logMessage.line}`;
    const verb = intent === 'explain' ? 'Explain' : 'Fix';
    void assistant.ask({ intent, logMessage, message: `${verb} this error${place}: ${logMessage.message}` });
  };
  return (
    <ul className="grid grid-cols-1 gap-1 px-3 pt-2" aria-label="Errors">
      {errors.map((error) => (
        <li key={`${error.line} ${error.message}`} className="flex items-center gap-1.5 text-xs">
          <CircleAlert className="size-3.5 shrink-0 text-red" aria-hidden="true" />
          <span className="min-w-0 flex-1 truncate" title={error.message}>
            {error.line !== null && <span className="text-graphite tabular-nums">Line {error.line}: </span>}
            {error.message}
          </span>
          {(['explain', 'fix'] as const).map((intent) => (
            <button
              key={intent}
              type="button"
              aria-label={`${intent === 'explain' ? 'Explain' : 'Fix'} this error: ${error.message}`}
              onClick={() => ask(intent, error)}
              className="min-h-7 rounded-md border border-edge bg-page px-2 font-medium transition-colors duration-150 hover:bg-wash pointer-coarse:min-h-11 pointer-coarse:px-3"
            >
              {intent === 'explain' ? 'Explain' : 'Fix'}
            </button>
          ))}
        </li>
      ))}
    </ul>
  );
}

/** What a change costs and what is left. */
function CostLine() {
  const credits = useCredits();
  if (credits.kind !== 'known') return null;
  const available = credits.credits.assistant;
  const paid = available === 1 ? 'your last AI conversation' : `1 of your ${available} AI conversations`;
  return (
    <ConversationsLeft
      available={available}
      some={`A change uses ${paid}. Answers without a change are free.`}
      none="You have no AI conversations left for changes. Answers without a change are free."
      onGetMore={() => openCreditsDialog({ kind: 'assistant', required: 1, available })}
    />
  );
}
