import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { getClientAddress } from './client-address.ts';

const from = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

test.each([
  // connection, X-Forwarded-For, trusted proxies → address
  ['127.0.0.1', undefined, 0, '127.0.0.1'],
  ['::1', undefined, 0, '::1'],
  ['::ffff:127.0.0.1', undefined, 0, '::ffff:127.0.0.1'],
  ['203.0.113.9', undefined, 0, '203.0.113.9'],
  // an undeclared proxy is not believed
  ['127.0.0.1', '203.0.113.9', 0, '127.0.0.1'],
  ['127.0.0.1', '127.0.0.1', 0, '127.0.0.1'],
  // one trusted proxy appends what it sees; everything before that was sent by the caller
  ['127.0.0.1', '203.0.113.9', 1, '203.0.113.9'],
  ['127.0.0.1', '127.0.0.1, 203.0.113.9', 1, '203.0.113.9'],
  ['10.0.0.1', '198.51.100.2, 203.0.113.9', 2, '198.51.100.2'],
  ['127.0.0.1', undefined, 1, '127.0.0.1'],
])('from %s, forwarded for %s, %s trusted: %s', (peer, forwarded, trusted, address) => {
  expect(getClientAddress(from(peer, forwarded), trusted)).toBe(address);
});
