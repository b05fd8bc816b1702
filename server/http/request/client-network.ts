/** The caller's network, as a key that does not reveal it. Made only here. */
import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';

/**
 * The key under which callers of one network take turns and share limits: 22 characters of base64url. It is
 * keyed with the installation's secret, so that nobody who sees it can find the address by brute force.
 * @param address as returned by `getClientAddress`
 */
export function hashNetwork(address: string, secretKey: string): string {
  return createHmac('sha256', secretKey)
    .update(`network:${networkOf(address)}`)
    .digest('base64url')
    .slice(0, 22);
}

/**
 * The network of an address: an IPv4 address itself, or the first 64 bits of an IPv6 address, because whoever
 * has one such address has all of its /64. Anything else (a proxy's “unknown”) is a network of its own.
 */
export function networkOf(address: string): string {
  // proxies add ports, sometimes with brackets; operating systems add an interface name
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^([\d.]+):\d+$/, '$1');
  const plain = bare.replace(/%.*$/, '').toLowerCase();
  if (isIP(plain) !== 6) return plain;
  const groups = expandGroups(plain);
  const isMappedIpv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMappedIpv4)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight groups of a valid IPv6 address. */
function expandGroups(address: string): number[] {
  // the URL parser normalises every form, including an IPv4 tail, to hexadecimal
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const read = (part = '') => part.split(':').flatMap((group) => (group ? [Number.parseInt(group, 16)] : []));
  const [before, after] = [read(head), read(tail)];
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}
