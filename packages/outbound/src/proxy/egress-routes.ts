import { lookup } from 'node:dns/promises';
import type { Socket } from 'node:net';
import type { AddressGuard } from '../guard/address-guard';
import { parseAllowList } from '../guard/allow-list';
import { parseProxy } from './egress-proxy';
import { type GuardedAgents, guardedAgents, type SocketBounds } from '../guard/guarded-agents';
import type { Resolver } from '../guard/guarded-lookup';
import { openGuardedSocket } from '../open-socket';
import type { OutboundSettings } from '../http/outbound-client';
import { proxiedAgents } from './proxied-agents';
import { checkedAddressTargets, nameTargets } from './proxied-names';
import { openTunnel } from './proxy-path';
import { socketHost } from '../guard/socket-host';

const SOCKET_BOUNDS: SocketBounds = { perHost: 64, total: 512, idleMs: 4_000 };

const resolveBySystem: Resolver = (host) => lookup(host, { all: true });

/** Routes to hosts: direct, or through the proxy. The guard checks both. */
export interface EgressRoutes {
  agentsFor(host: string, port: number): GuardedAgents;
  openSocket(host: string, port: number, signal: AbortSignal): Promise<Socket>;
  close(): void;
}

/** Creates the routes of the settings. @throws Error if they are invalid */
export function createEgressRoutes(guard: AddressGuard, settings: OutboundSettings): EgressRoutes {
  const bounds = { ...SOCKET_BOUNDS, ...settings.sockets };
  const resolve = settings.resolve ?? resolveBySystem;
  const direct = guardedAgents({ guard, resolve }, bounds);
  const openDirectly: EgressRoutes['openSocket'] = (host, port, signal) =>
    openGuardedSocket(host, port, guard, resolve, signal);
  if (settings.proxy === undefined || settings.proxy === '')
    return { agentsFor: () => direct, openSocket: readingHosts(openDirectly), close: () => direct.close() };
  const proxy = parseProxy(settings.proxy);
  const resolvesNames = settings.proxyResolves ?? false;
  const targetsOf = resolvesNames ? nameTargets(guard, resolve) : checkedAddressTargets(guard, resolve);
  const proxied = proxiedAgents(proxy, targetsOf, resolvesNames, bounds);
  const exempt = parseAllowList(settings.noProxy ?? [], 'OUTBOUND_NO_PROXY');
  const isDirect = (host: string, port: number): boolean =>
    exempt.allowsHost(host, port) || exempt.allowsAddress(host, port);
  const openByProxy: EgressRoutes['openSocket'] = async (host, port, signal) => {
    const targets = await targetsOf(host, port);
    const socket = await openTunnel(proxy, { host, targets, port }, signal);
    signal.addEventListener('abort', () => socket.destroy(), { once: true });
    return socket;
  };
  return {
    agentsFor: (host, port) => (isDirect(host, port) ? direct : proxied),
    openSocket: readingHosts((host, port, signal) =>
      (isDirect(host, port) ? openDirectly : openByProxy)(host, port, signal),
    ),
    close: () => {
      direct.close();
      proxied.close();
    },
  };
}

/** Hosts of sockets can be spelled in any way; hosts of URLs are already normalized. */
function readingHosts(open: EgressRoutes['openSocket']): EgressRoutes['openSocket'] {
  return async (host, port, signal) => open(socketHost(host), port, signal);
}
