/** Addresses of a name; undefined: it does not exist. */
export type FindAddresses = (name: string) => readonly string[] | undefined;

/** Repeats the answers of a DNS server for a while, like a cluster's cache. */
export interface NameCache {
  readonly lookUp: FindAddresses;
  /** Milliseconds for which answers are repeated from now on; 0: not at all. */
  readonly keepFor: (ms: number) => void;
}

/**
 * Keeps the addresses that names had. A name without an address is looked up each time.
 * @param clock milliseconds that only grow
 */
export const createNameCache = (lookUp: FindAddresses, clock: () => number = () => performance.now()): NameCache => {
  const known = new Map<string, { readonly addresses: readonly string[]; readonly until: number }>();
  let keptMs = 0;
  return {
    lookUp: (name) => {
      const kept = known.get(name);
      if (kept !== undefined && clock() < kept.until) return kept.addresses;
      const addresses = lookUp(name);
      if (addresses !== undefined && keptMs > 0) known.set(name, { addresses, until: clock() + keptMs });
      return addresses;
    },
    keepFor: (ms) => {
      keptMs = ms;
      known.clear();
    },
  };
};
