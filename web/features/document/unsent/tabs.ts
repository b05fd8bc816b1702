import type { KnownText } from '../saving/text-keeper.ts';
import type { OtherTabs } from './saver.ts';

/** The tabs of this browser that have one document of one person open. `hear` is called with what another has saved. */
export function openTabs(userId: string, documentId: string, hear: (saved: KnownText) => void): OtherTabs {
  // no browser of today is without; one that is goes by the server's answers
  if (typeof BroadcastChannel === 'undefined') return { tell: () => {}, close: () => {} };
  const channel = new BroadcastChannel(`inkproof-document-${userId}-${documentId}`);
  channel.onmessage = (event: MessageEvent<KnownText>) => hear(event.data);
  return {
    tell: (saved) => channel.postMessage(saved),
    close: () => channel.close(),
  };
}
