/** Which addresses may be sent to external services. */
import { BlockList, isIP } from 'node:net';
import { networkOf } from '../http/request/client-network.ts';

/** IPv4 networks that are not public (IANA's registry of special-purpose addresses), and multicast. */
const specialIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/**
 * Special-purpose networks within 2000::/3, the only allocated part of IPv6: protocol assignments, documentation, 6to4.
 */
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const special = new BlockList();
for (const network of specialIpv4) addNetwork(special, network, 'ipv4');
for (const network of specialIpv6) addNetwork(special, network, 'ipv6');
const givenOut = new BlockList();
addNetwork(givenOut, '2000::/3', 'ipv6');

/**
 * The address to look up for a caller: an IPv4 address, or the first address of an IPv6 network (/64). Null if it is
 * not public (this machine, private networks) or not an address.
 * @param address from `getClientAddress`
 */
export function toPublicAddress(address: string): string | null {
  const bare = networkOf(address).replace(/\/64$/, '');
  switch (isIP(bare)) {
    case 4:
      return special.check(bare, 'ipv4') ? null : bare;
    case 6:
      return givenOut.check(bare, 'ipv6') && !special.check(bare, 'ipv6') ? bare : null;
    default:
      return null;
  }
}

function addNetwork(list: BlockList, network: string, family: 'ipv4' | 'ipv6'): void {
  const [start = '', bits] = network.split('/');
  list.addSubnet(start, Number(bits), family);
}
