import { type SaveResult, saveText, saveUrl, type TextPlace } from '#web/lib/api/document-api.ts';
import { findStoredSession } from '#web/lib/session/stored-session.ts';
import type { SaveAttempt } from '../saving/text-keeper.ts';

/** Sends one save as this user, never as another who has since signed in. */
export async function sendSave(
  userId: string,
  place: TextPlace,
  save: SaveAttempt,
  { keepalive }: { keepalive: boolean },
): Promise<SaveResult> {
  const session = findStoredSession();
  if (session?.user.id !== userId)
    return {
      kind: 'refused',
      error: { code: 'UNAUTHORIZED', error: 'You are signed out.', source: 'user' },
    };
  if (!keepalive) return saveText(place, save);
  // sent before this function first awaits: a page that is closing gets no other chance, and no response
  void fetch(saveUrl(place), {
    method: 'PUT',
    keepalive: true,
    credentials: 'include',
    headers: { Authorization: `Bearer ${session.access_token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(save),
  }).catch(() => {
    // beyond the browsers' limit (64 KB), or offline: the store has it
  });
  return { kind: 'unreachable' };
}
