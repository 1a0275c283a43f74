import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { OutboundError } from '../http/outbound-http';
import type { AddressGuard } from './address-guard';

/** Resolves a host name to all its addresses; rejects with a code like ENOTFOUND if it has no address. */
export type Resolver = (host: string) => Promise<readonly LookupAddress[]>;

/** Maximum number of addresses of one name that are checked. */
const MAX_ADDRESSES = 64;

/**
 * A look-up for one connection. The connection goes to the addresses that were checked: the name is resolved once, and
 * if one of its addresses is refused, none is used.
 */
export function guardedLookup(resolve: Resolver, guard: AddressGuard, port: number): LookupFunction {
  return (host, options, callback) => {
    checkedAddresses(resolve, guard, host, port).then(
      (addresses) => {
        const usable = addresses.filter(
          ({ family }) => options.family === undefined || options.family === 0 || options.family === family,
        );
        const first = usable[0];
        if (first === undefined) callback(hostNotFound(host), '');
        else if (options.all === true) callback(null, usable);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : hostNotFound(host), ''),
    );
  };
}

/**
 * Resolves a host once. Rejects with OutboundRefused if one of its addresses is refused, or with the error of the
 * resolver.
 */
export async function checkedAddresses(
  resolve: Resolver,
  guard: AddressGuard,
  host: string,
  port: number,
): Promise<LookupAddress[]> {
  const addresses = (await resolve(host)).slice(0, MAX_ADDRESSES);
  guard.check(
    host,
    addresses.map(({ address }) => address),
    port,
  );
  return addresses;
}

function hostNotFound(host: string): OutboundError {
  return new OutboundError('HOST_NOT_FOUND', `No address was found for the host "${host}".`, 'ENOTFOUND');
}
