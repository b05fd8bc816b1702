/** A compile session for as long as a component is there. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { createCompileSession, type SessionOptions } from './compile-session.ts';
import { type CompileSession, initialState, type LiveState } from './live-state.ts';

const never = () => () => {};

/** Null while `isOn` is false, and anew for another engine. */
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

/** What a session knows, or a part of it: whoever takes a part is not rendered for the rest. */
export function useLiveState<T>(session: CompileSession | null, part: (live: LiveState) => T): T {
  return useSyncExternalStore(
    session?.subscribe ?? never,
    () => part(session?.getState() ?? initialState),
    () => part(initialState),
  );
}
