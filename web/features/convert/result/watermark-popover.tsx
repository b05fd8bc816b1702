import { Stamp, Undo2 } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useId, useState } from 'react';
import { maxWatermarkTextLength } from '#shared/api/limits.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';

interface WatermarkPopoverProps {
  hasWatermark: boolean;
  isBusy: boolean;
  isDisabled: boolean;
  onWatermark: (text: string, sizeScale: number) => Promise<void>;
  onUndo: () => void;
}

/** Adds a text across every page of the PDF, and removes it again: the original PDF is kept. */
export function WatermarkPopover({
  hasWatermark,
  isBusy,
  isDisabled,
  onWatermark,
  onUndo,
}: WatermarkPopoverProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState('');
  const [scale, setScale] = useState(1);
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      {hasWatermark && (
        <Button
          variant="quiet"
          size="small"
          icon={<Undo2 className="size-4 @2xl/bar:hidden" />}
          onClick={onUndo}
          disabled={isDisabled}
        >
          <span className="@max-2xl/bar:sr-only">Undo watermark</span>
        </Button>
      )}
      <Popover.Trigger
        disabled={isDisabled && !isBusy}
        className={buttonClass({ variant: 'quiet', size: 'small' })}
        aria-label="Watermark"
      >
        <Stamp className="size-4" aria-hidden="true" />
        <span className="max-xl:hidden group-data-crowded/bar:@max-2xl/bar:hidden">Watermark</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-40 w-72 animate-appear rounded-xl border border-hairline bg-page p-4 shadow-lg"
        >
          <form
            className="grid gap-4"
            onSubmit={async (event) => {
              event.preventDefault();
              await onWatermark(text, scale);
              setIsOpen(false);
            }}
          >
            <div className="grid gap-1.5">
              <label htmlFor={`${id}-text`} className="text-sm font-medium">
                Watermark text
              </label>
              <input
                id={`${id}-text`}
                value={text}
                maxLength={maxWatermarkTextLength}
                required
                onChange={(event) => setText(event.target.value)}
                className="h-10 rounded-lg border border-edge bg-page px-3"
              />
            </div>
            <div className="grid gap-1.5">
              <label htmlFor={`${id}-scale`} className="flex justify-between text-sm font-medium">
                Size{' '}
                <span className="font-normal text-graphite tabular-nums">{Math.round(scale * 100)} %</span>
              </label>
              <input
                id={`${id}-scale`}
                type="range"
                min={0.2}
                max={2}
                step={0.1}
                value={scale}
                onChange={(event) => setScale(Number(event.target.value))}
                className="h-10 accent-ink"
              />
            </div>
            <Button type="submit" variant="primary" isBusy={isBusy} disabled={text.trim() === ''}>
              {hasWatermark ? 'Replace the watermark' : 'Add to every page'}
            </Button>
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
