import { createBoundedCache } from '@weft/service-kit/caching';
import { BlockList, isIP } from 'node:net';

/** True if an address may call. */
export type AllowList = (address: string) => boolean;

const family = (address: string): 'ipv4' | 'ipv6' | undefined => {
  const version = isIP(address);
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6';
};

/** Converts IPv4 addresses that an IPv6 socket shows as `::ffff:10.0.0.1` to plain IPv4. */
const plainAddress = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;

const addEntry = (list: BlockList, entry: string): void => {
  const [address = '', bits] = entry.split('/');
  const kind = family(address);
  if (kind === undefined) return;
  if (bits === undefined) list.addAddress(address, kind);
  else if (/^\d{1,3}$/.test(bits) && Number(bits) <= (kind === 'ipv4' ? 32 : 128))
    list.addSubnet(address, Number(bits), kind);
};

/**
 * A list of addresses and CIDR blocks; an empty one admits every caller. An entry that cannot be parsed admits none,
 * so that a typing error closes the ingress rather than opening it.
 */
export const createAllowList = (entries: readonly string[]): AllowList => {
  if (entries.length === 0) return () => true;
  const list = new BlockList();
  for (const entry of entries) addEntry(list, entry);
  return function isAllowedAddress(address) {
    const plain = plainAddress(address);
    const kind = family(plain);
    return kind !== undefined && list.check(plain, kind);
  };
};

const MAX_LISTS = 1_000;

/** Creates allow lists and caches a bounded number of those in use. */
export const rememberAllowLists = (maxEntries = MAX_LISTS): ((entries: readonly string[]) => AllowList) => {
  const known = createBoundedCache<string, AllowList>({ maxEntries });
  return function allowListOf(entries) {
    if (entries.length === 0) return createAllowList(entries);
    const key = entries.join(',');
    const found = known.get(key);
    if (found !== undefined) return found;
    const list = createAllowList(entries);
    known.set(key, list);
    return list;
  };
};
