/** A compile session for as long as a component is there. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { type CompileSession, createCompileSession, type LiveState } from './compile-session.ts';

const noSession: LiveState = { status: 'off', pdf: null, pages: null, report: null, problem: null };
const never = () => () => {};

/** Null while `isOn` is false, and anew for another engine. */
export function useCompileSession(isOn: boolean, engine?: 'xelatex' | 'pdflatex'): CompileSession | null {
  const [session, setSession] = useState<CompileSession | null>(null);
  useEffect(() => {
    if (!isOn) return;
    const made = createCompileSession({ engine });
    setSession(made);
    return () => {
      setSession(null);
      made.close();
    };
  }, [isOn, engine]);
  return session;
}

/** What a session knows, or a part of it: whoever takes a part is not rendered for the rest. */
export function useLiveState<T>(session: CompileSession | null, part: (live: LiveState) => T): T {
  return useSyncExternalStore(
    session?.subscribe ?? never,
    () => part(session?.getState() ?? noSession),
    () => part(noSession),
  );
}
