/**
 * What is sent to one client, at the pace at which it reads. Short messages are sent at once; only the newest
 * PDF waits for a client that is behind, so that one PDF and a few messages are the most held for it.
 */
import type { WebSocket } from 'ws';
import type { SessionAnswer } from '#shared/api/compile-session.ts';

/** With more than this unsent, in bytes, a PDF waits: less than a page's worth, so that few are ever queued. */
const behindBytes = 128 * 1024;
/** A client that does not even read messages counts as disconnected. */
const goneBytes = 64 * 1024 * 1024;

interface Parcel {
  head: SessionAnswer;
  pdf: Uint8Array;
}

export interface Outbox {
  send(answer: SessionAnswer): void;
  /** A PDF that a later one makes obsolete. `isInterim`: dropped if the client is behind. */
  sendPdf(head: SessionAnswer, pdf: Uint8Array, options: { isInterim: boolean }): void;
}

/** @param onDropped called for each PDF that was dropped */
export function createOutbox(socket: WebSocket, onDropped: () => void): Outbox {
  let parcel: Parcel | null = null;

  const isOpen = () => socket.readyState === socket.OPEN;
  const isBehind = () => socket.bufferedAmount > behindBytes;
  const send = (answer: SessionAnswer) => {
    if (!isOpen()) return;
    if (socket.bufferedAmount > goneBytes) return socket.terminate();
    socket.send(JSON.stringify(answer), handleTaken);
  };
  const dispatch = ({ head, pdf }: Parcel) => {
    send(head);
    if (isOpen()) socket.send(pdf, { binary: true }, handleTaken);
  };
  /** Called whenever something has been passed to the network. */
  const handleTaken = () => {
    if (!parcel || !isOpen() || isBehind()) return;
    const next = parcel;
    parcel = null;
    dispatch(next);
  };

  return {
    send,
    sendPdf(head, pdf, { isInterim }) {
      if (!isBehind()) {
        parcel = null;
        return dispatch({ head, pdf });
      }
      if (isInterim) return onDropped();
      if (parcel) onDropped();
      parcel = { head, pdf };
    },
  };
}
