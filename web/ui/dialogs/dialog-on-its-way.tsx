import { useEffect } from 'react';
import { useOnline } from '../../lib/hooks/use-online.ts';
import { Spinner } from '../controls/loading.tsx';

/**
 * Stands where a dialog will open whose code is still on its way, from a quarter of a second on. Escape and a press put
 * it away.
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
