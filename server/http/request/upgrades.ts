/** WebSocket upgrades of one server: each address is handled by one room, all others are refused. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer, url: URL) => void;

const handlersOf = new WeakMap<Server, Map<string, UpgradeHandler>>();

/** Handles the upgrades of one address. @returns a function that ends this, so that they are refused */
export function handleUpgrades(server: Server, path: string, handler: UpgradeHandler): () => void {
  let handlers = handlersOf.get(server);
  if (!handlers) {
    handlers = new Map();
    handlersOf.set(server, handlers);
    server.on('upgrade', createDispatcher(handlers));
  }
  handlers.set(path, handler);
  return () => handlers.delete(path);
}

function createDispatcher(handlers: ReadonlyMap<string, UpgradeHandler>) {
  return (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // the URL may be anything, and an exception in this handler would end the process
    const url = URL.parse(request.url ?? '/', 'http://localhost');
    const handler = url && handlers.get(url.pathname);
    socket.on('error', () => {});
    if (handler) handler(request, socket, head, url);
    else refuseUpgrade(socket, 404, 'Not Found');
  };
}

export function refuseUpgrade(socket: Duplex, status: number, reason: string): void {
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
