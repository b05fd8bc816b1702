import { CloudOff, TriangleAlert } from 'lucide-react';
import { cn } from '#web/ui/cn.ts';
import { describeSaver } from '../unsent/open-saver.ts';
import type { SaverState } from '../unsent/saver.ts';

/** The save status in a word. Only unusual states are announced to screen readers. */
export function SaveLine({ state }: { state: SaverState | null }) {
  if (state === null) return null;
  const { status, version } = state;
  const isCalm = status === 'saved' || status === 'saving' || status === 'unsaved';
  const words = describeSaver(state);
  const Icon = status === 'unreachable' || status === 'signed-out' ? CloudOff : TriangleAlert;
  return (
    <p
      role={isCalm ? undefined : 'status'}
      data-save={status}
      title={isCalm ? `Version ${version}` : words}
      className={cn(
        'flex min-w-0 items-center gap-1.5 text-xs whitespace-nowrap',
        status === 'refused' || status === 'conflict' ? 'text-red' : 'text-graphite',
      )}
    >
      {!isCalm && <Icon className="size-3.5 shrink-0" aria-hidden="true" />}
      <span className="truncate">{words}</span>
    </p>
  );
}
