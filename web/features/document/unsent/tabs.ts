import type { KnownText } from '../saving/text-keeper.ts';
import type { OtherTabs } from './saver.ts';

/** The tabs of this browser in which this user has this document open. `onSaved` receives what another tab has saved. */
export function openTabs(userId: string, documentId: string, onSaved: (saved: KnownText) => void): OtherTabs {
  // every current browser has it; one without relies on the server's responses
  if (typeof BroadcastChannel === 'undefined') return { announce: () => {}, close: () => {} };
  const channel = new BroadcastChannel(`inkproof-document-${userId}-${documentId}`);
  channel.onmessage = (event: MessageEvent<KnownText>) => onSaved(event.data);
  return {
    announce: (saved) => channel.postMessage(saved),
    close: () => channel.close(),
  };
}
