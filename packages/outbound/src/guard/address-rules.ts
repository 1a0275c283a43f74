import { BlockList, SocketAddress, isIP } from 'node:net';

/**
 * Networks that a workflow may not reach unless the operator allows it, by the rule that refuses them. From the special
 * purpose registries of RFC 6890, with the metadata services of clouds that lie outside them.
 */
const REFUSED_NETWORKS: readonly (readonly [rule: string, networks: readonly string[]])[] = [
  ['loopback-address', ['127.0.0.0/8', '::1/128']],
  ['private-address', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fec0::/10']],
  ['link-local-address', ['169.254.0.0/16', 'fe80::/10']],
  ['metadata-address', ['168.63.129.16/32']],
  ['multicast-address', ['224.0.0.0/4', 'ff00::/8']],
  ['translated-address', ['::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '192.88.99.0/24']],
  [
    'reserved-address',
    [
      '0.0.0.0/8',
      '192.0.0.0/24',
      '192.0.2.0/24',
      '198.18.0.0/15',
      '198.51.100.0/24',
      '203.0.113.0/24',
      '240.0.0.0/4',
      '::/128',
      '100::/64',
      '100:0:0:1::/64',
      '2001::/23',
      '2001:db8::/32',
      '3fff::/20',
      '5f00::/16',
    ],
  ],
];

/** An address in the one spelling that ranges are compared in. */
export interface Address {
  readonly text: string;
  readonly family: 'ipv4' | 'ipv6';
}

const rules = REFUSED_NETWORKS.map(([rule, networks]) => ({ rule, list: listOf(networks) }));
const globalUnicast = listOf(['2000::/3']);

/** A list of networks in CIDR form. Both the network and the prefix length must be right: it throws otherwise. */
export function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [text = '', prefix] = network.split('/');
    list.addSubnet(text, Number(prefix), isIP(text) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

/**
 * Reads a literal address. An IPv6 spelling of an IPv4 address (`::ffff:a.b.c.d`) is read as that IPv4 address.
 * Undefined for anything else, addresses with a zone id included.
 */
export function parseAddress(text: string): Address | undefined {
  const family = isIP(text);
  if (family === 0 || text.includes('%')) return undefined;
  if (family === 4) return { text, family: 'ipv4' };
  const canonical = new SocketAddress({ address: text, family: 'ipv6' }).address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(canonical)?.[1];
  return mapped === undefined ? { text: canonical, family: 'ipv6' } : { text: mapped, family: 'ipv4' };
}

/** The rule that refuses an address, or undefined if it is an ordinary public one. An unreadable one is refused. */
export function refusingRule(address: string): string | undefined {
  const parsed = parseAddress(address);
  if (parsed === undefined) return 'unreadable-address';
  const hit = rules.find(({ list }) => list.check(parsed.text, parsed.family));
  if (hit !== undefined) return hit.rule;
  const isPublic = parsed.family === 'ipv4' || globalUnicast.check(parsed.text, 'ipv6');
  return isPublic ? undefined : 'reserved-address';
}
