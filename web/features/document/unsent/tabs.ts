import type { KnownText } from '../saving/text-keeper.ts';
import type { OtherTabs } from './saver.ts';

/** The tabs of this browser in which this user has this document open. `hear` receives what another tab has saved. */
export function openTabs(userId: string, documentId: string, hear: (saved: KnownText) => void): OtherTabs {
  // every current browser has it; one without relies on the server's responses
  if (typeof BroadcastChannel === 'undefined') return { tell: () => {}, close: () => {} };
  const channel = new BroadcastChannel(`inkproof-document-${userId}-${documentId}`);
  channel.onmessage = (event: MessageEvent<KnownText>) => hear(event.data);
  return {
    tell: (saved) => channel.postMessage(saved),
    close: () => channel.close(),
  };
}
