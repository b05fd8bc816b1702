/**
 * /realtime/v1/websocket: a channel names the changes it subscribes to and its token. When a change is announced, the
 * row is read again with each subscriber's rights and sent to those who may see it. Channels are closed when their token
 * expires or its session ends.
 */
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Env } from '#platform/env.ts';
import { listen } from '#server/database/listen.ts';
import { getClientAddress } from '#server/http/request/client-address.ts';
import { listOwnOrigins } from '#server/http/request/origins.ts';
import { handleUpgrades, refuseUpgrade, type UpgradeHandler } from '#server/http/request/upgrades.ts';
import { readAs, type Viewer, type ViewerDeps } from '../viewer.ts';
import { parseChange, type Row, type RowChange, type RowReader, watchedTables } from './changes.ts';
import { createConnection, type RealtimeConnection } from './connection.ts';

export interface RealtimeDeps extends ViewerDeps {
  env: Pick<Env, 'PUBLIC_URL' | 'API_URL' | 'REDIRECT_URLS' | 'TRUSTED_PROXIES' | 'AUTH_LIMIT_FACTOR'>;
  logger: Logger;
}

export interface Realtime {
  /** Number of open sockets, for tests that look for leaks. */
  readonly socketCount: number;
  /** Ends every socket and accepts no more, because a closing server waits for open ones. */
  endStreams(): void;
  /** Also ends the listening database connection. */
  close(): Promise<void>;
}

/** Limit for one message from a client; a join with its token takes about 2,000 bytes. */
const maxMessageBytes = 64 * 1024;
/** Sockets from one address, times AUTH_LIMIT_FACTOR. */
const socketsPerAddress = 50;
/** Clients send a heartbeat every 25 s. */
const idleMs = 60_000;

/** Handles this server's upgrade requests for /realtime/v1/websocket. */
export function attachRealtime(server: Server, deps: RealtimeDeps): Realtime {
  const { env, pool, logger } = deps;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
  });
  const connections = new Map<WebSocket, RealtimeConnection>();
  const perAddress = new Map<string, number>();
  const origins = listOwnOrigins(env);
  for (const address of env.REDIRECT_URLS) {
    const { origin } = new URL(address);
    if (origin !== 'null') origins.add(origin);
  }

  const handleUpgrade: UpgradeHandler = (request, socket, head, url) => {
    const { origin } = request.headers;
    if (origin !== undefined && !origins.has(origin)) return refuseUpgrade(socket, 403, 'Forbidden');
    if (!deps.anonKeys.includes(url.searchParams.get('apikey') ?? ''))
      return refuseUpgrade(socket, 401, 'Unauthorized');
    const version = url.searchParams.get('vsn') ?? '1.0.0';
    if (version !== '1.0.0' && version !== '2.0.0') return refuseUpgrade(socket, 400, 'Bad Request');
    const address = getClientAddress(request, env.TRUSTED_PROXIES);
    const open = perAddress.get(address) ?? 0;
    if (open >= socketsPerAddress * env.AUTH_LIMIT_FACTOR)
      return refuseUpgrade(socket, 429, 'Too Many Requests');
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
      connections.set(webSocket, createConnection(webSocket, version, deps));
      webSocket.on('error', () => webSocket.terminate());
      webSocket.on('close', () => {
        connections.get(webSocket)?.close();
        connections.delete(webSocket);
        const left = (perAddress.get(address) ?? 1) - 1;
        if (left > 0) perAddress.set(address, left);
        else perAddress.delete(address);
      });
    });
  };
  const refuseFromNowOn = handleUpgrades(server, '/realtime/v1/websocket', handleUpgrade);

  // changes of a row that arrive while it is being sent are sent once, with its latest content
  const waiting = new Map<string, RowChange>();
  let notifying: Promise<void> = Promise.resolve();
  const announce = (change: RowChange) => {
    const place = `${change.table} ${change.key}`;
    const isNew = !waiting.has(place);
    if (isNew || change.type === 'INSERT') waiting.set(place, change);
    if (!isNew) return;
    notifying = notifying.then(async () => {
      const due = waiting.get(place);
      waiting.delete(place);
      if (due) await notify(due);
    });
  };
  const notify = async (change: RowChange) => {
    try {
      const readers = new Map<string, Promise<Row | null>>();
      const read: RowReader = (viewer) => {
        const who = viewer.role === 'anon' ? 'anon' : viewer.user.id;
        const known = readers.get(who) ?? readRow(deps, viewer, change);
        readers.set(who, known);
        return known;
      };
      await Promise.all([...connections.values()].map((connection) => connection.tell(change, read)));
    } catch (error) {
      logger.error({ err: error }, 'a changed row could not be announced');
    }
  };
  const watch = listen({
    databaseUrl: pool.options.connectionString!,
    // the database's triggers notify it; a notification names a row without its content
    channel: 'inkproof_rows',
    logger,
    deliver(payload) {
      const change = payload === null ? null : parseChange(payload);
      if (change) announce(change);
      if (payload !== null) return;
      // some may have been missed: everybody gets the current state
      announce({ table: 'page_conversion_totals', type: 'UPDATE', key: '1' });
      const users = new Set([...connections.values()].flatMap((connection) => connection.listUsers()));
      for (const key of users) announce({ table: 'user_credits', type: 'UPDATE', key });
    },
  });

  const sweep = setInterval(() => {
    for (const [webSocket, connection] of connections)
      if (Date.now() - connection.lastMessageAt > idleMs) webSocket.terminate();
  }, idleMs / 4);
  sweep.unref();

  const endStreams = () => {
    refuseFromNowOn();
    for (const webSocket of connections.keys()) {
      webSocket.close(1001);
      // do not wait for clients that do not respond
      setTimeout(() => webSocket.terminate(), 1000).unref();
    }
  };

  return {
    get socketCount() {
      return connections.size;
    },
    endStreams,
    async close() {
      clearInterval(sweep);
      endStreams();
      await watch.close();
      await notifying;
      for (const webSocket of connections.keys()) webSocket.terminate();
    },
  };
}

async function readRow(
  { pool }: RealtimeDeps,
  viewer: Viewer,
  { table, key }: RowChange,
): Promise<Row | null> {
  const column = watchedTables[table].key;
  try {
    return await readAs(pool, viewer, async (client) => {
      const { rows } = await client.query<{ row: Row }>(
        `SELECT row_to_json(found) AS row FROM public.${table} AS found WHERE ${column} = $1`,
        [key],
      );
      return rows[0]?.row ?? null;
    });
  } catch (error) {
    // the role has no rights on the table
    if ((error as { code?: string }).code === '42501') return null;
    throw error;
  }
}
