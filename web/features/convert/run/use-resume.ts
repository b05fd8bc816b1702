import { useEffect, useRef } from 'react';
import { useSession } from '../../../lib/session/use-session.ts';
import { takeWaiting } from './resume-conversion.ts';

/**
 * Resumes a conversion that waited for a sign-in: calls `onStart` once somebody is signed in and the files are open
 * (`canStart`).
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
