import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { isThisMachine } from './loopback.ts';

const call = (remoteAddress: string, headers: Record<string, string>) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

test.each([
  ['127.0.0.1', { host: 'localhost:3000' }],
  ['::1', { host: '[::1]:3000' }],
  ['::ffff:127.0.0.1', { host: '127.0.0.1' }],
])('from %s with %o the caller is on this machine', (peer, headers) => {
  expect(isThisMachine(call(peer, headers))).toBe(true);
});

test.each<[string, Record<string, string>]>([
  ['203.0.113.9', { host: 'localhost' }],
  ['127.0.0.1', {}],
  ['127.0.0.1', { host: 'inkproof.example' }],
  ['127.0.0.1', { host: 'localhost', 'x-forwarded-for': '203.0.113.9' }],
  // whoever gets past the outermost of several proxies can write this before what the inner one appends
  ['127.0.0.1', { host: 'localhost', 'x-forwarded-for': '127.0.0.1, 203.0.113.9' }],
  ['127.0.0.1', { host: 'localhost', forwarded: 'for=127.0.0.1' }],
  ['127.0.0.1', { host: 'localhost', via: '1.1 proxy' }],
])('from %s with %o the caller is not on this machine', (peer, headers) => {
  expect(isThisMachine(call(peer, headers))).toBe(false);
});
