import { ChevronUp } from 'lucide-react';
import { useState } from 'react';
import { spellOutHidden } from '#latex/source/hidden-characters.ts';
import type { Warning } from '#shared/api/errors.ts';
import type { DoubtfulSpot } from '#web/lib/doubtful-spots.ts';
import { cn } from '#web/ui/cn.ts';

interface ChecksPanelProps {
  warnings: Warning[];
  latex: string;
  spots: DoubtfulSpot[];
  onShowPage: (number: number) => void;
  onGoToSpot: (spot: DoubtfulSpot) => void;
}

/** Warnings and doubtful spots, collapsed to one row at first. */
export function ChecksPanel({ warnings, latex, spots, onShowPage, onGoToSpot }: ChecksPanelProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (warnings.length === 0 && spots.length === 0) return null;
  const parts = [
    warnings.length > 0 && `${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}`,
    spots.length > 0 && `${spots.length} ${spots.length === 1 ? 'spot' : 'spots'} to check`,
  ].filter(Boolean);

  return (
    <section aria-label="To check" className="flex max-h-[40%] shrink-0 flex-col border-t border-hairline">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-10 items-center gap-2 px-3 text-left pointer-coarse:min-h-11 text-[0.8125rem] font-medium hover:bg-wash"
      >
        <span className="size-1.5 rounded-full bg-red" aria-hidden="true" />
        {parts.join(', ')}
        <ChevronUp
          className={cn(
            'ml-auto size-4 text-graphite transition-transform duration-150',
            isOpen && 'rotate-180',
          )}
          aria-hidden="true"
        />
      </button>
      {isOpen && (
        <ul className="min-h-0 animate-appear overflow-y-auto border-t border-hairline px-3 py-1 text-[0.8125rem]">
          {warnings.map((warning, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same warning may come for several places
            <li key={index} className="flex gap-3 border-b border-hairline py-2 last:border-0">
              <PageLink page={warning.page} onShowPage={onShowPage} />
              <p className="min-w-0 flex-1 break-words">{spellOutHidden(warning.message)}</p>
            </li>
          ))}
          {spots.map((spot) => (
            <li key={`spot${spot.id}`} className="flex gap-3 border-b border-hairline py-2 last:border-0">
              <PageLink page={spot.page} onShowPage={onShowPage} />
              <div className="min-w-0 flex-1">
                <button
                  type="button"
                  onClick={() => onGoToSpot(spot)}
                  className="line-clamp-2 rounded text-left font-mono break-words underline decoration-red decoration-dotted decoration-2 underline-offset-4"
                >
                  {spellOutHidden(latex.slice(spot.start, spot.end)).trim()}
                </button>
                {spot.reason && <p className="mt-1 text-graphite">{spot.reason}</p>}
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function PageLink({ page, onShowPage }: { page: number | undefined; onShowPage: (number: number) => void }) {
  if (page === undefined) return <span className="w-14 shrink-0 text-graphite">Document</span>;
  return (
    <button
      type="button"
      onClick={() => onShowPage(page)}
      className="w-14 shrink-0 self-start rounded text-left font-medium underline decoration-edge underline-offset-4 hover:decoration-ink"
    >
      Page {page}
    </button>
  );
}
