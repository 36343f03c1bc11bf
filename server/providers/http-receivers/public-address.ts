import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * Everything of IANA's special-purpose registries that is not a public host: this network, private, shared
 * (CGNAT), loopback, link-local (the metadata services of clouds among them), protocol assignments, documentation,
 * 6to4 relays, AS112, benchmarks, multicast, reserved and broadcast. The last is Azure's own service address.
 */
const NOT_PUBLIC_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
];
/** Only this is given out to public hosts, so mapped, NAT64, unique local, link-local and multicast fall away. */
const PUBLIC_6 = '2000::/3';
/** Within it: protocol assignments (Teredo, ORCHID), documentation, 6to4, AS112, SRv6. */
const NOT_PUBLIC_6 = [
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
  '5f00::/16',
];

const listOf = (ranges: string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', bits] = range.split('/');
    list.addSubnet(net, Number(bits), family);
  }
  return list;
};

const notPublic4 = listOf(NOT_PUBLIC_4, 'ipv4');
const public6 = listOf([PUBLIC_6], 'ipv6');
const notPublic6 = listOf(NOT_PUBLIC_6, 'ipv6');

/** Whether the address may be that of a customer's system. What is no address is not. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !notPublic4.check(address, 'ipv4');
  // With a zone it is link-local by what it says.
  if (isIP(address) !== 6 || address.includes('%')) return false;
  return public6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6');
};
