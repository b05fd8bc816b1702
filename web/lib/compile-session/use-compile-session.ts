/** A compile session that lives as long as a component. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { createCompileSession } from './compile-session.ts';
import type { SessionOptions } from './live-state.ts';
import { type CompileSession, initialState, type LiveState } from './live-state.ts';

const never = () => () => {};

/** Null while `isOn` is false; a new session for each engine. */
export function useCompileSession(
  isOn: boolean,
  { engine, documentId }: SessionOptions = {},
): CompileSession | null {
  const [session, setSession] = useState<CompileSession | null>(null);
  useEffect(() => {
    if (!isOn) return;
    const made = createCompileSession({ engine, documentId });
    setSession(made);
    return () => {
      setSession(null);
      made.close();
    };
  }, [isOn, engine, documentId]);
  return session;
}

/** The session's state, or a part of it: a component that selects a part re-renders only when it changes. */
export function useLiveState<T>(session: CompileSession | null, part: (live: LiveState) => T): T {
  return useSyncExternalStore(
    session?.subscribe ?? never,
    () => part(session?.getState() ?? initialState),
    () => part(initialState),
  );
}
