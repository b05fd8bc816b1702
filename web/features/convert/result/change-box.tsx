import { ArrowUp, Check, X } from 'lucide-react';
import { useRef } from 'react';
import { maxFeedbackLength } from '#shared/api/limits.ts';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { RequestBox } from '#web/ui/request-box.tsx';
import { ConversationsLine } from '../conversations-line.tsx';
import { useConfig } from '../use-config.ts';
import { ChangeList } from './change-list.tsx';

interface ChangeBoxProps {
  feedback: string;
  /** What the last request changed. */
  note: string | null;
  isBusy: boolean;
  isDisabled: boolean;
  onType: (feedback: string) => void;
  onSend: () => void;
  onDismissNote: () => void;
}

/** The box for change requests in words. Blank ones do nothing. */
export function ChangeBox({
  feedback,
  note,
  isBusy,
  isDisabled,
  onType,
  onSend,
  onDismissNote,
}: ChangeBoxProps) {
  const config = useConfig();
  const box = useRef<HTMLTextAreaElement>(null);
  const hasModel = config?.reader === 'vision-model';
  const handleExample = (example: string) => {
    onType(example);
    // after the list has closed and the text is inserted
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(example.length, example.length);
    });
  };
  return (
    <div className="shrink-0 border-t border-hairline">
      <div role="status">
        {note && !isBusy && (
          <p className="flex animate-appear items-center gap-2 pt-1.5 pr-2 pl-4 text-[0.8125rem] text-graphite">
            <Check className="size-4 shrink-0 text-green" aria-hidden="true" />
            <span className="min-w-0 flex-1 break-words">{note}</span>
            <IconButton label="Dismiss" size="small" onClick={onDismissNote}>
              <X />
            </IconButton>
          </p>
        )}
      </div>
      <RequestBox
        id="change-request"
        label="Ask for a change"
        placeholder={hasModel ? 'Ask for a change in your own words' : 'Ask for a change'}
        value={feedback}
        maxLength={maxFeedbackLength}
        isReadOnly={isBusy}
        box={box}
        onType={onType}
        onSend={onSend}
      >
        {config && !hasModel && <ChangeList onChoose={handleExample} />}
        <Button
          type="submit"
          variant="primary"
          className="w-10 px-0"
          aria-label="Send the change request"
          title="Send the change request"
          isBusy={isBusy}
          disabled={isDisabled}
          icon={<ArrowUp className="size-4" />}
        />
      </RequestBox>
      <ConversationsLine />
    </div>
  );
}
