import { request } from 'node:http';
import { type Socket, connect, isIP } from 'node:net';
import { OutboundError } from '../http/outbound-http';
import { type EgressProxy, proxyHeaders } from './egress-proxy';

/** Milliseconds for the connection to the proxy and, for a tunnel, its response. */
const OPEN_MS = 30_000;
/** Maximum number of addresses of one host that the proxy is asked for, one after the other. */
const MAX_TARGETS = 3;

/**
 * Connects to the proxy itself.
 * Rejects with an OutboundError that does not name the proxy: its address is for the operator only.
 */
export function connectToProxy({ host, port }: EgressProxy, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal });
    const timer = setTimeout(() => socket.destroy(unanswered()), OPEN_MS);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(unreachable(error));
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

/** The far end of a tunnel. */
export interface TunnelEnd {
  /** Host as written, for error messages. */
  readonly host: string;
  /** Targets of the tunnel, at least one, in the order in which they are tried: addresses of the host, or its name. */
  readonly targets: readonly string[];
  readonly port: number;
}

/**
 * Asks the proxy for a tunnel to the first target, and for the next one if it refuses. The returned socket carries only
 * the bytes of the host.
 * Rejects with an OutboundError if the proxy cannot be reached, refuses, or does not answer within 30 s.
 */
export async function openTunnel(proxy: EgressProxy, end: TunnelEnd, signal: AbortSignal): Promise<Socket> {
  const targets = end.targets.slice(0, MAX_TARGETS);
  for (const [index, target] of targets.entries()) {
    const opened = await requestTunnel(proxy, target, end.port, signal);
    if (typeof opened !== 'number') return opened;
    if (index === targets.length - 1) throw proxyRefusal(end.host, opened);
  }
  throw new Error('A tunnel needs at least one target.');
}

/** One request for a tunnel: its socket, or the status with which the proxy refused. */
function requestTunnel(
  proxy: EgressProxy,
  target: string,
  port: number,
  signal: AbortSignal,
): Promise<Socket | number> {
  const authority = `${isIP(target) === 6 ? `[${target}]` : target}:${port}`;
  return new Promise((resolve, reject) => {
    const asked = request({
      host: proxy.host,
      port: proxy.port,
      method: 'CONNECT',
      path: authority,
      agent: false,
      signal,
      headers: { host: authority, ...proxyHeaders(proxy) },
    });
    const timer = setTimeout(() => asked.destroy(unanswered()), OPEN_MS);
    asked.on('error', (error) => {
      clearTimeout(timer);
      reject(unreachable(error));
    });
    asked.once('connect', (response, stream: Socket, early: Buffer) => {
      clearTimeout(timer);
      const status = response.statusCode ?? 0;
      if (status >= 200 && status < 300) {
        // Some protocols let the server speak first.
        if (early.length > 0) stream.unshift(early);
        resolve(stream);
      } else {
        stream.destroy();
        resolve(status);
      }
    });
    asked.end();
  });
}

/** The proxy answered instead of the host. */
export function proxyRefusal(host: string, status: number): OutboundError {
  const advice =
    status === 407
      ? 'It requires a user and a password: the operator sets them in OUTBOUND_PROXY.'
      : 'The operator of the proxy decides which hosts it allows.';
  return new OutboundError(
    'CONNECTION_REFUSED',
    `The egress proxy did not open a connection to the host "${host}" (status ${status}). ${advice}`,
  );
}

function unanswered(): OutboundError {
  return new OutboundError(
    'TIMEOUT',
    `The egress proxy of this service did not answer within ${OPEN_MS} ms.`,
    'ETIMEDOUT',
  );
}

function unreachable(error: Error): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'no code';
  return new OutboundError(
    'CONNECTION_REFUSED',
    `The egress proxy of this service could not be reached (${code}).`,
    code,
  );
}
