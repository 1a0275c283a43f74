import { isIPv6 } from 'node:net';

/** Groups of 16 bits in the network part of an IPv6 address, which is its first 64 bits. */
const NETWORK_GROUPS = 4;

/**
 * The part of a client's address that rate limits count by: an IPv4 address, or the /64 network of an IPv6 address,
 * because a client usually controls its whole /64. Returns anything that is not an address unchanged.
 */
export const clientBlock = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [plain = ''] = address.toLowerCase().split('%');
  const [left = '', right] = plain.split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right === undefined || right === '' ? [] : right.split(':');
  // A trailing IPv4 address counts as two groups.
  const tailLength = tail.length + (tail.at(-1)?.includes('.') === true ? 1 : 0);
  const groups =
    right === undefined ? head : [...head, ...Array<string>(8 - head.length - tailLength).fill('0'), ...tail];
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
};
