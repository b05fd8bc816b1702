/** Recognises this machine: its names, and calls from it. */
import type { IncomingMessage } from 'node:http';

const proxyHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

/** @param hostname as in `URL.hostname`: lower case, an IPv6 address in brackets */
export function isLoopbackName(hostname: string): boolean {
  return /^(localhost|[a-z0-9-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/**
 * True for a connection from this machine to a name of this machine, not passed on by any proxy, trusted or
 * not. A foreign site whose name was pointed here (DNS rebinding) sends its own name.
 */
export function isThisMachine({ socket, headers }: IncomingMessage): boolean {
  const isForwarded = proxyHeaders.some((name) => name in headers);
  const isPeerHere = /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '');
  const host = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '';
  return !isForwarded && isPeerHere && isLoopbackName(host);
}
