import { WifiOff } from 'lucide-react';
import { useCallback, useEffect, useRef } from 'react';
import { useBlocker, useLocation } from 'react-router';
import { retryImport } from '#web/lib/retry-import.ts';
import { Button } from '#web/ui/controls/button.tsx';

/** Kinds of screens shown before, whose code is loaded. */
const shown = new Set<string>();

/**
 * Without a connection a screen's code cannot be loaded, and trying would lose the current screen. So the navigation
 * waits until the connection is back, and the current screen stays.
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
      // browsers report the connection some moments before requests succeed, and a failed import reloads the page
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

/** The kind of screen at an address; screens of one kind share their code. */
function kindOf(pathname: string): string {
  const [, first = '', second = '', third = ''] = pathname.split('/');
  if (first !== 'documents' || second === '' || second === 'folders') return first;
  return `document ${third}`;
}
