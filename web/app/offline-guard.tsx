import { WifiOff } from 'lucide-react';
import { useCallback, useEffect, useRef } from 'react';
import { useBlocker, useLocation } from 'react-router';
import { retryImport } from '#web/lib/retry-import.ts';
import { Button } from '#web/ui/controls/button.tsx';

/** Kinds of screens that were shown already: what they need is here. */
const shown = new Set<string>();

/**
 * Without a connection a screen that was never shown cannot be fetched, and trying would leave nothing of the one that is
 * open. So the way there waits until the connection is back, and what is here stays.
 */
export function OfflineGuard() {
  const { pathname } = useLocation();
  useEffect(() => void shown.add(kindOf(pathname)), [pathname]);
  const blocker = useBlocker(
    useCallback(
      ({ nextLocation }: { nextLocation: { pathname: string } }) =>
        !navigator.onLine && !shown.has(kindOf(nextLocation.pathname)),
      [],
    ),
  );
  const latest = useRef(blocker);
  latest.current = blocker;
  useEffect(() => {
    const proceed = async () => {
      // a browser says so some moments before requests arrive, and a screen that cannot be fetched loads the page anew
      await retryImport(() => fetch('/robots.txt', { method: 'HEAD', cache: 'no-store' })).catch(() => null);
      latest.current.proceed?.();
    };
    addEventListener('online', proceed);
    return () => removeEventListener('online', proceed);
  }, []);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-3 bottom-4 z-50 grid justify-items-center"
    >
      {blocker.state === 'blocked' && (
        <div className="pointer-events-auto flex max-w-full animate-settle items-center gap-3 rounded-xl border border-hairline bg-page py-1.5 pr-1.5 pl-4 text-sm shadow-[0_12px_32px_-8px_oklch(0.2_0.04_266/0.35)]">
          <WifiOff className="size-4 shrink-0 text-red" aria-hidden="true" />
          <p className="min-w-0 py-1.5">You are offline. The page opens when the connection is back.</p>
          <Button size="small" onClick={() => blocker.reset()}>
            Stay here
          </Button>
        </div>
      )}
    </div>
  );
}

/** Screens of one kind share their code; which of them an address is. */
function kindOf(pathname: string): string {
  const [, first = '', second = '', third = ''] = pathname.split('/');
  if (first !== 'documents' || second === '' || second === 'folders') return first;
  return `document ${third}`;
}
