import { getBundle } from '#shared/api/bundles.ts';
import { useCredits } from '#web/lib/billing/credits.ts';
import { openCreditsDialog } from '#web/lib/billing/credits-dialog.ts';
import { cn } from '#web/ui/cn.ts';
import { keepForPurchase } from './run/resume-conversion.ts';
import type { TrayState } from './tray/tray-state.ts';

interface PriceLineProps {
  tray: TrayState;
  /** Pages that will be read; null if only the server can count them. */
  pageCount: number | null;
  className?: string;
}

/** The conversion's cost and the balance, before it starts: "Uses 12 pages of your 34". */
export function PriceLine({ tray, pageCount, className }: PriceLineProps) {
  const credits = useCredits();
  const lineClass = cn('text-sm text-graphite tabular-nums', className);
  if (credits.kind === 'nobody')
    return <p className={lineClass}>Your first {getBundle('free').credits.conversion} pages are free.</p>;
  if (credits.kind !== 'known') return null;
  const available = credits.credits.conversion;
  if (pageCount === null) return <p className={lineClass}>You have {countPages(available)}.</p>;
  if (pageCount <= available)
    return (
      <p className={lineClass}>
        Uses {countPages(pageCount)} of your {available}.
      </p>
    );
  return (
    <p className={lineClass}>
      <span className="font-medium text-red">
        Needs {countPages(pageCount)}; you have {available}.
      </span>{' '}
      <button
        type="button"
        className="min-h-10 rounded px-1 pointer-coarse:min-h-11 text-ink underline decoration-edge underline-offset-4 hover:decoration-ink"
        onClick={() =>
          openCreditsDialog({
            kind: 'conversion',
            required: pageCount,
            available,
            beforeLeaving: () => keepForPurchase(tray),
          })
        }
      >
        Get more pages
      </button>
    </p>
  );
}

function countPages(count: number): string {
  return count === 1 ? '1 page' : `${count} pages`;
}
