import { ArrowUp, Check, X } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { maxFeedbackLength } from '#shared/api/limits.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { ConversationsLine } from '../conversations-line.tsx';
import { useConfig } from '../use-config.ts';
import { ChangeList } from './change-list.tsx';

interface ChangeBoxProps {
  feedback: string;
  /** What the last request did. */
  note: string | null;
  isBusy: boolean;
  isDisabled: boolean;
  onType: (feedback: string) => void;
  onSend: () => void;
  onDismissNote: () => void;
}

/** Where a change is asked for in words. Blank ones do nothing. */
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
    // once the list has closed and the text is in
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(example.length, example.length);
    });
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSend();
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
      <form
        className="flex items-end gap-2 p-2"
        onSubmit={(event) => {
          event.preventDefault();
          onSend();
        }}
      >
        <label htmlFor="change-request" className="sr-only">
          Ask for a change
        </label>
        <textarea
          ref={box}
          id="change-request"
          rows={1}
          value={feedback}
          maxLength={maxFeedbackLength}
          readOnly={isBusy}
          placeholder={hasModel ? 'Ask for a change in your own words' : 'Ask for a change'}
          onChange={(event) => onType(event.target.value)}
          onKeyDown={handleKey}
          className="field-sizing-content max-h-32 min-h-10 min-w-0 flex-1 resize-none rounded-lg border border-edge bg-page px-3 py-2 text-sm leading-[1.375rem] pointer-coarse:text-base"
        />
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
      </form>
      <ConversationsLine />
    </div>
  );
}
