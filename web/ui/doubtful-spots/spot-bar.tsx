import { Check, ChevronLeft, ChevronRight, Sigma, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { spellOutHidden } from '#latex/source/hidden-characters.ts';
import type { DoubtfulSpot } from '#web/lib/doubtful-spots.ts';
import { cn } from '#web/ui/cn.ts';
import { Button, IconButton } from '#web/ui/controls/button.tsx';

interface SpotBarProps {
  latex: string;
  spots: DoubtfulSpot[];
  /** The selected spot; null before the first was visited. */
  current: DoubtfulSpot | null;
  onGo: (step: 1 | -1) => void;
  onConfirm: (spot: DoubtfulSpot) => void;
  /** Opens the visual editor of formulas; absent if the spot is in none. */
  onEditFormula?: (() => void) | undefined;
  /** Undoes the last confirmation; absent if there is none. */
  onUndo?: (() => void) | undefined;
  /** The ink that the selected spot was read from (`SpotInk`). */
  ink?: ReactNode;
}

/** Above the source: steps through the doubtful spots and confirms those that are right. */
export function SpotBar({
  latex,
  spots,
  current,
  onGo,
  onConfirm,
  onEditFormula,
  onUndo,
  ink,
}: SpotBarProps) {
  const place = current ? spots.indexOf(current) + 1 : 0;
  return (
    <section
      aria-label="Doubtful spots"
      className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-2 border-b border-hairline bg-paper py-1 pr-2 pl-3 text-[0.8125rem]"
    >
      <p className={cn('min-w-0 flex-1 truncate', current && 'max-sm:basis-full max-sm:pt-1')} role="status">
        {current ? (
          <>
            <span className="font-medium tabular-nums">
              {place} of {spots.length}
            </span>
            <span className="text-graphite"> · page {current.page} · </span>
            <span className="sr-only">{spellOutHidden(latex.slice(current.start, current.end))}. </span>
            <span className="text-graphite">{current.reason ?? 'The reader was unsure of this.'}</span>
          </>
        ) : (
          <span className="text-graphite">
            {spots.length === 0 ? (
              'Every spot is confirmed.'
            ) : (
              <>
                <span className="font-medium text-ink tabular-nums">
                  {spots.length === 1 ? '1 spot' : `${spots.length} spots`} to check
                </span>
                <span className="max-sm:sr-only">. Underlined: what the reader was unsure of.</span>
              </>
            )}
          </span>
        )}
      </p>
      {current && (
        <Button
          variant="quiet"
          size="small"
          icon={<Check className="size-4 text-green" />}
          onClick={() => onConfirm(current)}
        >
          Looks right
        </Button>
      )}
      {current && onEditFormula && (
        <Button variant="quiet" size="small" icon={<Sigma className="size-4" />} onClick={onEditFormula}>
          Edit formula
        </Button>
      )}
      {onUndo && (
        <Button variant="quiet" size="small" icon={<Undo2 className="size-4" />} onClick={onUndo}>
          Undo
        </Button>
      )}
      <span className={cn('ml-auto flex', spots.length === 0 && 'hidden')}>
        <IconButton label="Previous spot (Shift+F8)" size="small" onClick={() => onGo(-1)}>
          <ChevronLeft />
        </IconButton>
        <IconButton label="Next spot (F8)" size="small" onClick={() => onGo(1)}>
          <ChevronRight />
        </IconButton>
      </span>
      {current && ink && <div className="min-w-0 basis-full pb-1 empty:hidden">{ink}</div>}
    </section>
  );
}
