import { useSyncExternalStore } from 'react';
import './get-client.ts';
import {
  getServerSessionState,
  getSessionState,
  type SessionState,
  subscribeSession,
} from './session-store.ts';

/** Who is signed in: `{state: 'loading' | 'signed-out' | 'signed-in', user: {id, email} | null, needsCode}`. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribeSession, getSessionState, getServerSessionState);
}
