import { Button } from '../../../ui/controls/button.tsx';

interface TurnedNoticeProps {
  number: number;
  onRead: () => void;
  onUndo: () => void;
}

/** Below a page of a result that was rotated: what happens next. */
export function TurnedNotice({ number, onRead, onUndo }: TurnedNoticeProps) {
  return (
    <div
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-hairline bg-paper p-3"
      role="status"
    >
      <p className="min-w-48 flex-1 text-[0.8125rem] text-graphite">
        Page {number} is turned. Reading the document again is free of charge and replaces your edits.
      </p>
      <span className="flex gap-2">
        <Button size="small" variant="primary" onClick={onRead}>
          Read again
        </Button>
        <Button size="small" onClick={onUndo}>
          Undo
        </Button>
      </span>
    </div>
  );
}
