import { ListChecks, Undo2 } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { spellOutHidden } from '#latex/source/hidden-characters.ts';
import { retryImport } from '#web/lib/retry-import.ts';
import { cn } from '#web/ui/cn.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Loading } from '#web/ui/controls/loading.tsx';
import { nameKeys } from '#web/ui/source-editor/key-names.ts';
import { openKey } from './spot-keys.ts';
import { progressOf, type SpotsToCheck } from './use-spots.ts';

const loadCard = () => retryImport(() => import('./spot-card.tsx'));
const SpotCard = lazy(async () => ({ default: (await loadCard()).SpotCard }));

interface SpotBarProps {
  check: SpotsToCheck;
  /** The ink that the current spot was read from (`SpotInk`). */
  ink?: ReactNode;
  /** Opens the visual editor of formulas; absent if the spot is in none. */
  onEditFormula?: (() => void) | undefined;
  /** Gives the focus back to the source. */
  onLeave: () => void;
}

/** Above the source, on a phone below it: how many doubtful spots are left; grows into a card that checks them. */
export function SpotBar({ check, ink, onEditFormula, onLeave }: SpotBarProps) {
  const { spots, checked, current, reading } = check;
  // its keys should work as soon as it is opened
  useEffect(() => void loadCard(), []);
  return (
    <section
      aria-label="Doubtful spots"
      className={cn(
        'flex shrink-0 flex-col border-b border-hairline bg-paper text-[0.8125rem] max-sm:order-last max-sm:border-t max-sm:border-b-0',
        current && 'max-h-[60%] max-sm:max-h-[70%] max-sm:rounded-t-2xl max-sm:shadow-(--lift)',
      )}
    >
      <p role="status" className="sr-only">
        {current && `${progressOf(check)}. It reads: ${spellOutHidden(reading)}. ${othersOf(check)}`}
        {spots.length === 0 && `Every spot is checked.`}
      </p>
      {current ? (
        <Suspense fallback={<Loading />}>
          <SpotCard check={check} ink={ink} onEditFormula={onEditFormula} onLeave={onLeave} />
        </Suspense>
      ) : (
        <div className="flex min-h-11 items-center gap-2 py-1 pr-2 pl-3">
          <p className="min-w-0 flex-1 truncate text-graphite">
            {spots.length === 0 ? (
              'Every spot is checked.'
            ) : (
              <>
                <span className="font-medium text-ink tabular-nums">
                  {spots.length === 1 ? '1 spot' : `${spots.length} spots`} to check
                </span>
                {checked > 0 ? (
                  <span className="tabular-nums"> · {progressOf(check)}</span>
                ) : (
                  <span className="max-sm:sr-only">. Underlined: what the reader was unsure of.</span>
                )}
              </>
            )}
          </p>
          {check.undo && (
            <Button variant="quiet" size="small" icon={<Undo2 className="size-4" />} onClick={check.undo}>
              Undo
            </Button>
          )}
          {spots.length > 0 && (
            <Button
              size="small"
              icon={<ListChecks className="size-4" />}
              title={nameKeys(openKey, navigator.platform.startsWith('Mac'))}
              onClick={check.open}
            >
              {checked > 0 ? 'Continue' : 'Check'}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

function othersOf({ current, reading }: SpotsToCheck): string {
  const count = current?.alternatives.filter((other) => other !== reading).length ?? 0;
  return count === 0 ? '' : `${count} other ${count === 1 ? 'reading' : 'readings'}.`;
}
