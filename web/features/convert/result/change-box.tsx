import { ArrowUp } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { maxFeedbackLength } from '#shared/api/limits.ts';
import { Button } from '#web/ui/button.tsx';

interface ChangeBoxProps {
  feedback: string;
  isBusy: boolean;
  isDisabled: boolean;
  onType: (feedback: string) => void;
  onSend: () => void;
}

/** Where a change is asked for in words. Blank ones do nothing. */
export function ChangeBox({ feedback, isBusy, isDisabled, onType, onSend }: ChangeBoxProps) {
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSend();
  };
  return (
    <form
      className="flex shrink-0 items-end gap-2 border-t border-hairline p-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <label htmlFor="change-request" className="sr-only">
        Ask for a change
      </label>
      <textarea
        id="change-request"
        rows={1}
        value={feedback}
        maxLength={maxFeedbackLength}
        readOnly={isBusy}
        placeholder="Ask for a change, for example: change the title to Lecture 3"
        onChange={(event) => onType(event.target.value)}
        onKeyDown={handleKey}
        className="field-sizing-content max-h-32 min-h-10 min-w-0 flex-1 resize-none rounded-lg border border-edge bg-page px-3 py-2 text-sm leading-[1.375rem] pointer-coarse:text-base"
      />
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
  );
}
