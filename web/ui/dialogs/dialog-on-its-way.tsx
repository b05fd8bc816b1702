import { useEffect } from 'react';
import { useOnline } from '../../lib/hooks/use-online.ts';
import { Spinner } from '../controls/loading.tsx';

/**
 * A placeholder for a dialog whose code is still loading, shown after a quarter of a second. Escape or a click closes
 * it.
 */
export function DialogOnItsWay({ onClose }: { onClose: () => void }) {
  const isOnline = useOnline();
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => event.key === 'Escape' && onClose();
    addEventListener('keydown', handleKey);
    return () => removeEventListener('keydown', handleKey);
  }, [onClose]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <div
      role="status"
      className="shown-late fixed inset-0 z-40 grid place-items-center bg-[oklch(0.15_0.02_266/0.45)] p-4"
      onClick={onClose}
    >
      <p className="flex items-center gap-3 rounded-xl border border-hairline bg-page px-5 py-4 text-sm">
        <Spinner className="size-5 shrink-0" />
        {isOnline ? 'One moment.' : 'You are offline. This opens when the connection is back.'}
      </p>
    </div>
  );
}
