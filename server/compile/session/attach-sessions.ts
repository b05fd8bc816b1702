/**
 * Serves compile sessions on a server's upgrades. The handshake is answered once the caller is known; slots
 * limit the number of sessions, pings find clients that are gone, and unused sessions end.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Env } from '#platform/env.ts';
import { FairQueue } from '#platform/work/fair-queue.ts';
import {
  compileSessionPath,
  compileSessionProtocol,
  sessionCloseCodes,
} from '#shared/api/compile-session.ts';
import type { Typesetter } from '#typesetting/index.ts';
import { maxJsonBytes } from '../../http/request/body-limit.ts';
import { listOwnOrigins } from '../../http/request/origins.ts';
import { handleUpgrades, refuseUpgrade } from '../../http/request/upgrades.ts';
import type { Caller } from '../../http/types.ts';
import type { AskCaller } from './ask-caller.ts';
import { type Connection, createConnection } from './connection.ts';
import { trialLimits } from './fixer.ts';
import { createSessionMetrics } from './session-metrics.ts';
import { createSessionSlots, type SlotLimits } from './session-slots.ts';

export interface CompileSessionDeps {
  env: Pick<Env, 'PUBLIC_URL' | 'API_URL'>;
  typesetter: Typesetter;
  logger: Logger;
  metrics: Registry;
  askCaller: AskCaller;
  /** Whether a person's saved document exists and is not in the trash. */
  isDocumentThere?: (userId: string, documentId: string) => Promise<boolean>;
  /** Default: `defaultLimits`. */
  limits?: Partial<SessionLimits>;
}

export interface CompileSessions {
  /** Number of open sessions; for the tests that look for leaks. */
  readonly count: number;
  /** Ends every session and accepts no more, because a server that stops listening waits for open ones. */
  endStreams(): void;
  /** The same; resolves once no compile of a session runs. */
  close(): Promise<void>;
}

export interface SessionLimits extends SlotLimits {
  /** What all sessions together may hold, in bytes: texts, figures, SyncTeX data. */
  heldBytes: number;
  /** An unused session ends after this long; the browser reopens it with the next edit. */
  idleMs: number;
  /** A socket that opens no document is closed after this long. */
  openMs: number;
  pingMs: number;
}

const defaultLimits: SessionLimits = {
  // per person, one per tab; per network, a class behind one address
  perOwner: 8,
  perNetwork: 64,
  inAll: 500,
  heldBytes: 1024 ** 3,
  idleMs: 30 * 60_000,
  openMs: 20_000,
  // below the minute after which proxies commonly close silent connections
  pingMs: 25_000,
};

interface SlotHolder {
  connection: Connection;
  releaseSlot: () => void;
  openedAt: number;
  /** Pings since the last response. */
  unanswered: number;
}

/** Handles upgrades to a compile session, from our own pages or from clients that are not pages. */
export function attachCompileSessions(server: Server, deps: CompileSessionDeps): CompileSessions {
  const limits = { ...defaultLimits, ...deps.limits };
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxJsonBytes,
    // a PDF is compressed already, and a stream's compressor needs memory for each socket
    perMessageDeflate: false,
    handleProtocols: () => compileSessionProtocol,
  });
  const slots = createSessionSlots(limits);
  const metrics = createSessionMetrics(deps.metrics, slots);
  const origins = listOwnOrigins(deps.env);
  const trials = new FairQueue(trialLimits);
  const holders = new Map<WebSocket, SlotHolder>();
  const ending = new Set<Promise<void>>();
  const cookiesOf = new WeakMap<IncomingMessage, string[]>();
  let isClosed = false;

  sockets.on('headers', (headers, request) => {
    for (const cookie of cookiesOf.get(request) ?? []) headers.push(`Set-Cookie: ${cookie}`);
  });

  const countHeldBytes = () =>
    [...holders.values()].reduce((sum, { connection }) => sum + connection.heldBytes, 0);

  const admit = (webSocket: WebSocket, request: IncomingMessage, caller: Caller, releaseSlot: () => void) => {
    const entry: SlotHolder = {
      releaseSlot,
      openedAt: Date.now(),
      unanswered: 0,
      connection: createConnection(webSocket, {
        typesetter: deps.typesetter,
        trials,
        logger: deps.logger,
        metrics,
        caller,
        ask: (token) => deps.askCaller(request, token),
        changeSlot(next) {
          const taken = slots.take(next.id, next.network);
          if (typeof taken === 'string') return false;
          entry.releaseSlot();
          entry.releaseSlot = taken;
          return true;
        },
        isDocumentThere: deps.isDocumentThere,
        hasRoomFor: (bytes) => countHeldBytes() + bytes <= limits.heldBytes,
      }),
    };
    holders.set(webSocket, entry);
    webSocket.on('pong', () => {
      entry.unanswered = 0;
    });
    webSocket.on('error', () => webSocket.terminate());
    webSocket.on('close', () => {
      holders.delete(webSocket);
      entry.releaseSlot();
      const ended = entry.connection.close().finally(() => ending.delete(ended));
      ending.add(ended);
    });
  };

  const answerUpgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { origin } = request.headers;
    if (origin !== undefined && !origins.has(origin)) return refuseUpgrade(socket, 403, 'Forbidden');
    const offered = String(request.headers['sec-websocket-protocol'] ?? '').split(/\s*,\s*/);
    if (!offered.includes(compileSessionProtocol)) return refuseUpgrade(socket, 400, 'Bad Request');
    const identified = await deps.askCaller(request);
    if (!identified.ok) return refuseUpgrade(socket, identified.status, identified.error.code);
    const leave = slots.take(identified.caller.id, identified.caller.network);
    if (leave === 'full') return refuseUpgrade(socket, 503, 'Service Unavailable');
    if (leave === 'own-limit') return refuseUpgrade(socket, 429, 'Too Many Requests');
    if (isClosed) {
      leave();
      return refuseUpgrade(socket, 503, 'Service Unavailable');
    }
    cookiesOf.set(request, identified.cookies);
    // an invalid handshake ends the socket without telling us
    const forget = () => leave();
    socket.once('close', forget);
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      socket.off('close', forget);
      admit(webSocket, request, identified.caller, leave);
    });
  };

  const refuseFromNowOn = handleUpgrades(server, compileSessionPath, (request, socket, head) => {
    answerUpgrade(request, socket, head).catch((error: unknown) => {
      deps.logger.error({ err: error }, 'a compile session could not begin');
      refuseUpgrade(socket, 500, 'Internal Server Error');
    });
  });

  const sweep = setInterval(() => {
    const now = Date.now();
    for (const [webSocket, entry] of holders) {
      const { connection } = entry;
      if (entry.unanswered >= 2) webSocket.terminate();
      else if (!connection.hasOpened && now - entry.openedAt > limits.openMs)
        webSocket.close(1008, 'No document');
      else if (now - connection.usedAt > limits.idleMs) webSocket.close(sessionCloseCodes.idle, 'Idle');
      else {
        entry.unanswered++;
        webSocket.ping();
      }
    }
  }, limits.pingMs);
  sweep.unref();

  const endStreams = () => {
    isClosed = true;
    refuseFromNowOn();
    for (const webSocket of holders.keys()) {
      webSocket.close(1001);
      // closes without waiting for clients that do not respond
      setTimeout(() => webSocket.terminate(), 1000).unref();
    }
  };

  return {
    get count() {
      return holders.size;
    },
    endStreams,
    async close() {
      clearInterval(sweep);
      endStreams();
      for (const webSocket of holders.keys()) webSocket.terminate();
      const last = [...holders.values()].map(({ connection }) => connection.close());
      await Promise.allSettled([...last, ...ending]);
    },
  };
}
