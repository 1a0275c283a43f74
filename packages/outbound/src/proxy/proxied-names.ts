import { within } from '@weft/service-kit/time-limit';
import { isIP } from 'node:net';
import { OutboundError } from '../http/outbound-http';
import type { AddressGuard } from '../guard/address-guard';
import { checkedAddresses, type Resolver } from '../guard/guarded-lookup';
import { plainHost } from '../guard/host-pattern';

/** Milliseconds that a look-up may take before the host counts as not found. */
const LOOKUP_MS = 10_000;
/** Milliseconds that a look-up may take before the name is left to a proxy that resolves names. */
const LOOKUP_BESIDE_PROXY_MS = 1_000;
/** Milliseconds for which a name that could not be looked up is not looked up again. */
const UNKNOWN_MS = 30_000;
const MAX_UNKNOWN = 1_000;

/**
 * Checks a host and returns what a proxy is asked to connect to: addresses in the order in which they are tried, or the
 * name itself. Rejects with OutboundRefused if the proxy may not be asked, or OutboundError if there is no address.
 */
export type ProxyTargets = (host: string, port: number) => Promise<readonly string[]>;

/**
 * Targets for a proxy that is asked for addresses only. A name is resolved once, and if one address of it is refused,
 * none is used, so that the proxy connects to what was checked.
 */
export function checkedAddressTargets(guard: AddressGuard, resolve: Resolver): ProxyTargets {
  return async (host, port) => {
    if (isIP(host) !== 0) {
      guard.check(host, [host], port);
      return [host];
    }
    const looked = addressesOrNone(checkedAddresses(resolve, guard, host, port));
    const addresses = (await within(looked, LOOKUP_MS)) ?? [];
    if (addresses.length === 0) throw notResolved(host);
    return addresses;
  };
}

/**
 * Targets for a proxy that resolves names. Names that this process can look up pass the guard by their addresses. Names
 * that it cannot look up are left to the proxy, except those of the local network. The proxy may resolve a name to
 * other addresses than this process: its own rules apply.
 */
export function nameTargets(guard: AddressGuard, resolve: Resolver, clock: () => number = Date.now): ProxyTargets {
  const unknownUntil = new Map<string, number>();
  return async (host, port) => {
    if (isIP(host) !== 0) {
      guard.check(host, [host], port);
      return [host];
    }
    const name = plainHost(host);
    const isUnknown = (unknownUntil.get(name) ?? 0) > clock();
    const lookUp = () => addressesOrNone(checkedAddresses(resolve, guard, host, port));
    const addresses = (isUnknown ? undefined : await within(lookUp(), LOOKUP_BESIDE_PROXY_MS)) ?? [];
    if (addresses.length > 0) return [host];
    if (!isUnknown) {
      unknownUntil.delete(name);
      unknownUntil.set(name, clock() + UNKNOWN_MS);
      const oldest = unknownUntil.size > MAX_UNKNOWN ? unknownUntil.keys().next().value : undefined;
      if (oldest !== undefined) unknownUntil.delete(oldest);
    }
    guard.checkUnknown(host, port);
    return [host];
  };
}

/** The addresses, or none if the look-up failed. Rejects with OutboundRefused. */
async function addressesOrNone(found: ReturnType<typeof checkedAddresses>): Promise<readonly string[]> {
  try {
    return (await found).map(({ address }) => address);
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    return [];
  }
}

function notResolved(host: string): OutboundError {
  return new OutboundError(
    'HOST_NOT_FOUND',
    `No address was found for the host "${host}". Check its spelling. If only the egress proxy can resolve names, ` +
      'the operator can set OUTBOUND_PROXY_RESOLVES.',
    'ENOTFOUND',
  );
}
