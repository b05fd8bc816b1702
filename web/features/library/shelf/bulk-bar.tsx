import { ListChecks, X } from 'lucide-react';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import type { MenuEntry } from '../menu.tsx';

interface BulkBarProps {
  count: number;
  total: number;
  /** The actions for the whole selection. */
  entries: readonly MenuEntry[];
  onSelectAll: () => void;
  onClear: () => void;
}

/**
 * The bar with actions for the selection, at the bottom of the screen. Actions for single items stay in the menus.
 */
export function BulkBar({ count, total, entries, onSelectAll, onClear }: BulkBarProps) {
  return (
    <section
      aria-label="Selected"
      data-bulk-bar
      className="sticky bottom-4 z-20 mx-auto flex w-fit max-w-full animate-settle flex-wrap items-center justify-center gap-x-0.5 gap-y-1 rounded-xl sm:gap-x-1 border border-hairline bg-page p-1.5 shadow-[0_12px_32px_-8px_oklch(0.2_0.04_266/0.35)]"
    >
      <p role="status" className="px-2.5 text-sm font-medium tabular-nums">
        {count.toLocaleString('en-GB')} selected
      </p>
      {count < total && (
        <Button
          variant="quiet"
          size="small"
          title="Select all"
          icon={<ListChecks className="size-4 sm:hidden" />}
          onClick={onSelectAll}
        >
          <span className="max-sm:sr-only">Select all {total.toLocaleString('en-GB')}</span>
        </Button>
      )}
      {entries
        .filter(({ isForOne }) => !isForOne)
        .map((entry) => (
          <Button
            key={entry.label}
            variant="quiet"
            size="small"
            title={entry.label}
            onClick={entry.run}
            icon={<span className="[&_svg]:size-4">{entry.icon}</span>}
          >
            <span className="max-sm:sr-only">{entry.label}</span>
          </Button>
        ))}
      <IconButton label="Clear the selection" size="small" onClick={onClear}>
        <X />
      </IconButton>
    </section>
  );
}
