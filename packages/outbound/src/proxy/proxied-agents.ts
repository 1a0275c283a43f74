import { Agent as HttpAgent, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type EgressProxy, proxyHeaders } from './egress-proxy';
import { agentOptions, type GuardedAgents, type OnSocket, type SocketBounds } from '../guard/guarded-agents';
import type { ProxyTargets } from './proxied-names';
import { connectToProxy, openTunnel } from './proxy-path';
import { requestGate } from '../http/request-gate';

type OpenPath = (host: string, port: number) => Promise<Socket>;

class ProxiedHttpAgent extends HttpAgent {
  constructor(
    private readonly open: OpenPath,
    private readonly bounds: SocketBounds,
  ) {
    super(agentOptions(bounds));
  }

  override createConnection(options: ClientRequestArgs, callback?: OnSocket): undefined {
    this.open(options.host ?? '', Number(options.port)).then(
      (socket) => callback?.(null, socket.setTimeout(this.bounds.idleMs)),
      (error: unknown) => callback?.(asError(error), new Socket()),
    );
  }
}

class ProxiedHttpsAgent extends HttpsAgent {
  constructor(
    private readonly open: OpenPath,
    bounds: SocketBounds,
  ) {
    super(agentOptions(bounds));
  }

  override createConnection(options: RequestOptions, callback?: OnSocket): undefined {
    this.open(options.host ?? '', Number(options.port)).then(
      (socket) => {
        const secured: Duplex | null | undefined = super.createConnection(
          Object.assign({ ...options }, { socket }),
          callback,
        );
        if (secured) callback?.(null, secured);
      },
      (error: unknown) => callback?.(asError(error), new Socket()),
    );
  }
}

/**
 * Agents whose every socket leads to the proxy, and whose every host passes the check first. https goes through a
 * tunnel, with TLS up to the host itself. So does http, unless the proxy resolves names: it is asked in absolute form
 * then. (A request in absolute form cannot name an address: the proxy would send it on as the Host header.)
 */
export function proxiedAgents(
  proxy: EgressProxy,
  targetsOf: ProxyTargets,
  resolvesNames: boolean,
  bounds: SocketBounds,
): GuardedAgents {
  const closing = new AbortController();
  const openPath: OpenPath = async (host, port) => {
    const targets = await targetsOf(host, port);
    return openTunnel(proxy, { host, targets, port }, closing.signal);
  };
  const openToProxy: OpenPath = async (host, port) => {
    await targetsOf(host, port);
    return connectToProxy(proxy, closing.signal);
  };
  const http = new ProxiedHttpAgent(resolvesNames ? openToProxy : openPath, bounds);
  const https = new ProxiedHttpsAgent(openPath, bounds);
  return {
    http,
    https,
    ...(resolvesNames ? { absoluteForm: { headers: proxyHeaders(proxy) } } : {}),
    gate: requestGate(bounds),
    close: () => {
      closing.abort();
      http.destroy();
      https.destroy();
    },
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('The connection could not be opened.');
}
