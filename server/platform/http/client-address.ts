/** Which machine is calling; never logged. */
import type { IncomingMessage } from 'node:http';

const loopback = /^(127\.|::1$|::ffff:127\.)/;

/**
 * The caller's address: the connection's, or with `trustedProxies` = n the n-th from the right in
 * X-Forwarded-For, which is what the outermost trusted proxy has seen.
 */
export function getClientAddress(incoming: IncomingMessage, trustedProxies: number): string {
  const peer = incoming.socket.remoteAddress ?? '';
  if (trustedProxies === 0) return peer;
  const forwarded = String(incoming.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);
  return forwarded.at(-trustedProxies) ?? peer;
}

/**
 * True for a caller on this machine. Behind a proxy that is not trusted to say who calls, nobody is one: the proxy
 * itself is usually on this machine.
 */
export function isLoopbackCaller(incoming: IncomingMessage, trustedProxies: number): boolean {
  const isForwarded = 'x-forwarded-for' in incoming.headers || 'forwarded' in incoming.headers;
  if (isForwarded && trustedProxies === 0) return false;
  return loopback.test(getClientAddress(incoming, trustedProxies));
}
