import { useEffect, useRef } from 'react';
import { useSession } from '../../../lib/session/use-session.ts';
import { takeWaiting } from './resume-conversion.ts';

/**
 * Goes on with a conversion that waited for a sign-in: calls `onStart` once somebody is signed in and the desk is ready
 * (`canStart`: its files are open).
 */
export function useResume(canStart: boolean, onStart: () => void): void {
  const { state } = useSession();
  const start = useRef(onStart);
  start.current = onStart;
  useEffect(() => {
    if (!canStart || state !== 'signed-in') return;
    void takeWaiting().then((isOurs) => isOurs && start.current());
  }, [canStart, state]);
}
