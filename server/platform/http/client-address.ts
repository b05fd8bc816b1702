/** Which machine is calling. Used to tell loopback from the rest and to count calls; never logged. */
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

/** True for a call from this machine that did not come through a proxy (a proxy on this machine is loopback too). */
export function isDirectLoopback(incoming: IncomingMessage): boolean {
  const isForwarded = 'x-forwarded-for' in incoming.headers || 'forwarded' in incoming.headers;
  return !isForwarded && loopback.test(incoming.socket.remoteAddress ?? '');
}
