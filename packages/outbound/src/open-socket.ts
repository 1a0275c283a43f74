import { type Socket, connect, isIP } from 'node:net';
import { OutboundError } from './http/outbound-http';
import type { AddressGuard } from './guard/address-guard';
import { guardedLookup, type Resolver } from './guard/guarded-lookup';

/** Milliseconds for the look-up and the connection. */
const CONNECT_MS = 30_000;

/**
 * Opens a bare socket to a host, for protocols other than HTTP. The connection goes to an address that was checked.
 * Rejects with OutboundRefused, or with the error of the socket. Aborting ends the socket, also once it is open.
 */
export async function openGuardedSocket(
  host: string,
  port: number,
  guard: AddressGuard,
  resolve: Resolver,
  signal: AbortSignal,
): Promise<Socket> {
  if (isIP(host) !== 0) guard.check(host, [host], port);
  return new Promise((resolveSocket, reject) => {
    const socket = connect({ host, port, lookup: guardedLookup(resolve, guard, port), signal });
    const timer = setTimeout(
      () =>
        socket.destroy(
          new OutboundError('TIMEOUT', `The host "${host}" could not be reached within ${CONNECT_MS} ms.`, 'ETIMEDOUT'),
        ),
      CONNECT_MS,
    );
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', fail);
      resolveSocket(socket);
    });
  });
}
