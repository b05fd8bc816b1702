import { expect, test } from 'vitest';
import { hashNetwork, networkOf } from './client-network.ts';

const key = 'k'.repeat(32);

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:52100', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:CB00:7109', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::9', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
  ['', ''],
])('%j is of the network %j', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('a network has one key, another network another; it differs with the secret, and reveals no address', () => {
  const hash = hashNetwork('2001:db8:1:2::9', key);
  expect(hashNetwork('2001:db8:1:2:ffff::', key)).toBe(hash);
  expect(hashNetwork('2001:db8:1:3::9', key)).not.toBe(hash);
  expect(hashNetwork('2001:db8:1:2::9', 'x'.repeat(32))).not.toBe(hash);
  expect(hash).toMatch(/^[\w-]{22}$/);
});
