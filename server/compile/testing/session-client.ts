/** A client of compile sessions for tests: real WebSocket, every message checked by the shared schemas. */
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { compileSessionPath, compileSessionProtocol, SessionAnswer } from '#shared/api/compile-session.ts';

type Received = SessionAnswer & { pdf?: Buffer };
type ReceivedOf<T extends Received['type']> = Extract<Received, { type: T }> & { pdf?: Buffer };

export interface SessionClient {
  /** Everything received so far; PDFs are stored with the message that announced them. */
  received: Received[];
  socket: WebSocket;
  /** Sent as JSON, or unchanged if it is text or bytes. */
  send(message: object | string | Uint8Array): void;
  /** The first matching message of this type, already received or to come. */
  next<T extends Received['type']>(
    type: T,
    fits?: (message: ReceivedOf<T>) => boolean,
  ): Promise<ReceivedOf<T>>;
  /** The final result of a version. */
  final(version: number): Promise<ReceivedOf<'result'>>;
  /** The close code, once the socket is closed. */
  closed: Promise<number>;
  close(): Promise<void>;
}

interface OpenOptions {
  headers?: Record<string, string>;
  protocols?: string[];
}

/** @throws Error with the status if the handshake is refused */
export async function openSession(address: string, options: OpenOptions = {}): Promise<SessionClient> {
  const { headers = {}, protocols = [compileSessionProtocol] } = options;
  const socket = new WebSocket(address.replace(/^http/, 'ws') + compileSessionPath, protocols, { headers });
  const received: Received[] = [];
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  let announced: Received | null = null;
  socket.on('message', (data, isBinary) => {
    if (isBinary) {
      if (announced) announced.pdf = data as Buffer;
      else throw new Error('a PDF that nothing announced');
      received.push(announced);
      announced = null;
      return;
    }
    const message = SessionAnswer.parse(JSON.parse(String(data)));
    const hasPdf = message.type === 'pages' || (message.type === 'result' && message.has_pdf);
    if (hasPdf) announced = message;
    else received.push(message);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('unexpected-response', (_, response) =>
      reject(Object.assign(new Error(`refused with ${response.statusCode}`), { cookies: response.headers })),
    );
    socket.once('error', reject);
  });
  const next = async <T extends Received['type']>(
    type: T,
    fits: (message: ReceivedOf<T>) => boolean = () => true,
  ): Promise<ReceivedOf<T>> => {
    for (let tries = 0; tries < 3_000; tries++) {
      const found = received.find((message) => message.type === type && fits(message as ReceivedOf<T>));
      if (found) return found as ReceivedOf<T>;
      if (socket.readyState === WebSocket.CLOSED) break;
      await sleep(10);
    }
    throw new Error(`no ${type} came; told: ${received.map((message) => message.type).join(', ')}`);
  };
  return {
    received,
    socket,
    closed,
    next,
    final: (version) => next('result', (message) => message.version === version && message.final),
    send: (message) =>
      socket.send(
        typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message),
      ),
    async close() {
      socket.close();
      await closed;
    },
  };
}
