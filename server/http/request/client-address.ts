/** The caller's address; never logged. */
import type { IncomingMessage } from 'node:http';

/**
 * The caller's address: the connection's, or with `trustedProxies` = n the n-th from the right in
 * X-Forwarded-For, which is what the outermost trusted proxy saw.
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
