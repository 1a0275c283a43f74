import { Agent as HttpAgent, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type EgressProxy, proxyHeaders } from './egress-proxy';
import { agentOptions, type GuardedAgents, type OnSocket, type SocketBounds } from './guarded-agents';
import type { ProxiedNameCheck } from './proxied-names';
import { connectToProxy, openTunnel } from './proxy-path';
import { requestGate } from './request-gate';

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
 * Agents whose every socket leads to the proxy, and whose every host passes the check first: http is asked of the proxy
 * in absolute form, https goes through a tunnel with TLS up to the host itself.
 */
export function proxiedAgents(proxy: EgressProxy, check: ProxiedNameCheck, bounds: SocketBounds): GuardedAgents {
  const closing = new AbortController();
  const checkedThen =
    (open: OpenPath): OpenPath =>
    async (host, port) => {
      await check(host, port);
      return open(host, port);
    };
  const http = new ProxiedHttpAgent(
    checkedThen(() => connectToProxy(proxy, closing.signal)),
    bounds,
  );
  const https = new ProxiedHttpsAgent(
    checkedThen((host, port) => openTunnel(proxy, host, port, closing.signal)),
    bounds,
  );
  return {
    http,
    https,
    absoluteForm: { headers: proxyHeaders(proxy) },
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
