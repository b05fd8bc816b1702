/** One socket and its channels. Messages are handled one at a time, in order of arrival. */
import { decodeJwt } from 'jose';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { identifyViewer, type Viewer, type ViewerDeps } from '../viewer.ts';
import {
  canBeServed,
  describeChange,
  isAskedFor,
  type RowChange,
  type RowReader,
  type Subscription,
} from './changes.ts';
import {
  formatMessage,
  JoinPayload,
  type Message,
  type ProtocolVersion,
  parseMessage,
  TokenPayload,
} from './protocol.ts';

interface Channel {
  joinRef: string | null;
  viewer: Viewer;
  /** Absent with the public key. */
  token?: string;
  subscriptions: Subscription[];
  /** Closes the channel when its token expires. */
  timer?: NodeJS.Timeout;
}

export interface RealtimeConnection {
  /** When the client last sent a message (ms). */
  readonly lastMessageAt: number;
  /** Sends the change to each channel that subscribed to it and may see it. */
  tell(change: RowChange, read: RowReader): Promise<void>;
  /** Ids of the accounts whose tokens its channels use. */
  listUsers(): string[];
  close(): void;
}

const maxChannels = 20;
/** Messages from one socket within ten seconds. */
const maxMessages = 100;
/** Unsent bytes allowed for a client that reads slowly. */
const maxBufferedBytes = 1024 * 1024;

export function createConnection(
  socket: WebSocket,
  version: ProtocolVersion,
  deps: ViewerDeps & { logger: Logger },
): RealtimeConnection {
  const channels = new Map<string, Channel>();
  let lastMessageAt = Date.now();
  let windowStart = lastMessageAt;
  let messageCount = 0;
  let lastId = 0;
  let tail: Promise<void> = Promise.resolve();

  const send = (message: Message) => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > maxBufferedBytes) return socket.terminate();
    socket.send(formatMessage(version, message));
  };
  const reply = ({ joinRef, ref, topic }: Message, status: 'ok' | 'error', response: object) =>
    send({ joinRef, ref, topic, event: 'phx_reply', payload: { status, response } });
  const sendSystem = (topic: string, joinRef: string | null, status: 'ok' | 'error', message: string) =>
    send({
      joinRef,
      ref: null,
      topic,
      event: 'system',
      payload: { channel: topic.replace(/^realtime:/, ''), extension: 'postgres_changes', message, status },
    });

  const drop = (topic: string): Channel | undefined => {
    const channel = channels.get(topic);
    clearTimeout(channel?.timer);
    channels.delete(topic);
    return channel;
  };
  const closeChannel = (topic: string, reason: string) => {
    const channel = drop(topic);
    if (!channel) return;
    sendSystem(topic, channel.joinRef, 'error', reason);
    send({ joinRef: channel.joinRef, ref: null, topic, event: 'phx_close', payload: {} });
  };
  /** Sets the channel's token and the timer for its expiry. False if the token is invalid. */
  const authorize = async (topic: string, channel: Channel, token: string | null | undefined) => {
    const found = await identifyViewer(token ?? undefined, deps);
    if (!found.ok) return false;
    channel.viewer = found.viewer;
    clearTimeout(channel.timer);
    delete channel.token;
    if (found.viewer.role === 'anon' || !token) return true;
    channel.token = token;
    const { exp = 0 } = decodeJwt(token);
    // at most a day: a timer with too long a delay would fire at once
    const leftMs = Math.min(exp * 1000 - Date.now(), 86_400_000);
    channel.timer = setTimeout(
      () => closeChannel(topic, 'The access token has expired'),
      Math.max(leftMs, 0),
    );
    channel.timer.unref();
    return true;
  };

  const join = async (message: Message) => {
    const { topic, joinRef, ref } = message;
    const payload = JoinPayload.safeParse(message.payload ?? {});
    if (!topic.startsWith('realtime:') || topic === 'realtime:' || !payload.success)
      return reply(message, 'error', { reason: 'This channel cannot be joined' });
    drop(topic);
    if (channels.size >= maxChannels) return reply(message, 'error', { reason: 'Too many channels' });
    const requested = payload.data.config?.postgres_changes ?? [];
    const channel: Channel = {
      joinRef: joinRef ?? ref,
      viewer: { role: 'anon' },
      subscriptions: requested.map((one) => ({ ...one, id: ++lastId })),
    };
    if (!(await authorize(topic, channel, payload.data.access_token)))
      return reply(message, 'error', { reason: 'The access token is not valid' });
    if (socket.readyState !== socket.OPEN) return clearTimeout(channel.timer);
    channels.set(topic, channel);
    reply(message, 'ok', { postgres_changes: channel.subscriptions });
    if (channel.subscriptions.length === 0) return;
    if (channel.subscriptions.every(canBeServed))
      sendSystem(topic, channel.joinRef, 'ok', 'Subscribed to PostgreSQL');
    else
      sendSystem(topic, channel.joinRef, 'error', 'Unable to subscribe to changes with the given parameters');
  };

  const renew = async ({ topic, payload }: Message) => {
    const channel = channels.get(topic);
    const given = TokenPayload.safeParse(payload ?? {});
    if (!channel) return;
    if (!given.success || !(await authorize(topic, channel, given.data.access_token)))
      closeChannel(topic, 'The access token is not valid');
  };

  const answer = async (message: Message) => {
    switch (message.event) {
      case 'heartbeat':
        return reply(message, 'ok', {});
      case 'phx_join':
        return join(message);
      case 'access_token':
        return renew(message);
      case 'phx_leave': {
        drop(message.topic);
        reply(message, 'ok', {});
        return send({ ...message, ref: null, event: 'phx_close', payload: {} });
      }
      default:
        // broadcast and presence are not offered
        if (message.ref !== null) reply(message, 'error', { reason: 'Unknown event' });
    }
  };

  socket.on('message', (data, isBinary) => {
    lastMessageAt = Date.now();
    if (lastMessageAt - windowStart > 10_000) {
      windowStart = lastMessageAt;
      messageCount = 0;
    }
    messageCount++;
    const message = isBinary ? null : parseMessage(String(data));
    if (messageCount > maxMessages) return socket.close(1008, 'Too many messages');
    if (!message) return isBinary ? undefined : socket.close(1003, 'Not a message');
    tail = tail
      .then(() => answer(message))
      .catch((error: unknown) => {
        deps.logger.error({ err: error }, 'a realtime message could not be answered');
        reply(message, 'error', { reason: 'The server cannot answer right now' });
      });
  });

  return {
    get lastMessageAt() {
      return lastMessageAt;
    },
    async tell(change, read) {
      for (const [topic, channel] of [...channels]) {
        const { viewer, token } = channel;
        if (!channel.subscriptions.some(({ table = '*' }) => table === '*' || table === change.table))
          continue;
        // row-level security decides; this only saves queries for viewers who cannot own the row
        if (change.table === 'user_credits' && (viewer.role === 'anon' || viewer.user.id !== change.key))
          continue;
        if (token !== undefined && !(await deps.verifyToken(token)).ok) {
          if (channels.get(topic) === channel && channel.token === token)
            closeChannel(topic, 'The access token is not valid');
          continue;
        }
        const row = await read(viewer);
        if (row === null || channels.get(topic) !== channel || channel.viewer !== viewer) continue;
        const ids = channel.subscriptions.filter((one) => isAskedFor(one, change, row)).map(({ id }) => id);
        if (ids.length === 0) continue;
        send({
          joinRef: channel.joinRef,
          ref: null,
          topic,
          event: 'postgres_changes',
          payload: describeChange(change, row, ids),
        });
      }
    },
    listUsers: () =>
      [...channels.values()].flatMap(({ viewer }) => (viewer.role === 'anon' ? [] : [viewer.user.id])),
    close() {
      for (const topic of [...channels.keys()]) drop(topic);
    },
  };
}
