/** Addresses of a name; undefined: it does not exist. */
export type FindAddresses = (name: string) => readonly string[] | undefined;

/** Answers of a DNS server that are given again for a while, as a cluster's cache does it. */
export interface NameCache {
  readonly lookUp: FindAddresses;
  /** Milliseconds for which an answer is given again, from now on; 0: none is. */
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
