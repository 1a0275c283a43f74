import { isIP } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { AddressGuard } from './address-guard';
import type { Resolver } from './guarded-lookup';
import { plainHost } from './host-pattern';

/** Milliseconds that a look-up may take before the name is left to the proxy. */
const LOOKUP_MS = 1_000;
/** Milliseconds for which a name that could not be looked up is not looked up again. */
const UNKNOWN_MS = 30_000;
const MAX_UNKNOWN = 1_000;

/** Rejects with OutboundRefused if the proxy may not be asked for this host. */
export type ProxiedNameCheck = (host: string, port: number) => Promise<void>;

/**
 * Checks hosts that a proxy will look up. What this process can look up itself passes the guard by its addresses. A
 * name it cannot look up is left to the proxy, unless it is a name of the local network. The proxy may see other
 * addresses than this process: its own rules decide in the end.
 */
export function proxiedNameCheck(
  guard: AddressGuard,
  resolve: Resolver,
  clock: () => number = Date.now,
): ProxiedNameCheck {
  const unknownUntil = new Map<string, number>();
  return async (host, port) => {
    if (isIP(host) !== 0) return guard.check(host, [host], port);
    const name = plainHost(host);
    const isUnknown = (unknownUntil.get(name) ?? 0) > clock();
    const addresses = isUnknown ? [] : await resolvedWithin(resolve, host);
    if (addresses.length > 0) return guard.check(host, addresses, port);
    if (!isUnknown) {
      unknownUntil.delete(name);
      unknownUntil.set(name, clock() + UNKNOWN_MS);
      const oldest = unknownUntil.size > MAX_UNKNOWN ? unknownUntil.keys().next().value : undefined;
      if (oldest !== undefined) unknownUntil.delete(oldest);
    }
    guard.checkUnknown(host, port);
  };
}

async function resolvedWithin(resolve: Resolver, host: string): Promise<readonly string[]> {
  const finished = new AbortController();
  const limit = setTimeout(LOOKUP_MS, [], { signal: finished.signal }).catch(() => []);
  // A name that has no address here may well have one where the proxy is.
  const found = resolve(host).then(
    (addresses) => addresses.map(({ address }) => address),
    () => [],
  );
  return Promise.race([found, limit]).finally(() => finished.abort());
}
