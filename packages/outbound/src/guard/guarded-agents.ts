import { Agent as HttpAgent, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions } from 'node:https';
import { Socket, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { OutboundRefused } from '../http/outbound-http';
import type { AddressGuard } from './address-guard';
import { guardedLookup, type Resolver } from './guarded-lookup';
import type { RequestGate } from '../http/request-gate';

/** Bounds on the open sockets of a process. */
export interface SocketBounds {
  /** To one host and port; further requests wait within their own time limit. */
  readonly perHost: number;
  readonly total: number;
  /** Idle timeout of a socket, in milliseconds. */
  readonly idleMs: number;
}

/** The agents of one client. */
export interface GuardedAgents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
  /** Present if http requests are asked of a proxy: they name the whole URL then, and carry these headers. */
  readonly absoluteForm?: { readonly headers: Readonly<Record<string, string>> };
  /** Present if these agents cannot enforce the bounds themselves: requests pass it first. */
  readonly gate?: RequestGate;
  /** Ends all sockets. */
  close(): void;
}

/** Callback of an agent with its opened socket, or the error. */
export type OnSocket = (error: Error | null, stream: Duplex) => void;

interface Guards {
  readonly guard: AddressGuard;
  readonly resolve: Resolver;
}

class GuardedHttpAgent extends HttpAgent {
  constructor(
    private readonly guards: Guards,
    bounds: SocketBounds,
  ) {
    super(agentOptions(bounds));
  }

  override createConnection(options: ClientRequestArgs, callback?: OnSocket): Duplex | null | undefined {
    if (isRefused(options, this.guards, callback)) return undefined;
    return super.createConnection(guarded(options, this.guards), callback);
  }
}

class GuardedHttpsAgent extends HttpsAgent {
  constructor(
    private readonly guards: Guards,
    bounds: SocketBounds,
  ) {
    super(agentOptions(bounds));
  }

  override createConnection(options: RequestOptions, callback?: OnSocket): Duplex | null | undefined {
    if (isRefused(options, this.guards, callback)) return undefined;
    return super.createConnection(guarded(options, this.guards), callback);
  }
}

/** Agents that keep connections alive and reach only what the guard allows. */
export function guardedAgents(guards: Guards, bounds: SocketBounds): GuardedAgents {
  const http = new GuardedHttpAgent(guards, bounds);
  const https = new GuardedHttpsAgent(guards, bounds);
  return {
    http,
    https,
    close: () => {
      http.destroy();
      https.destroy();
    },
  };
}

/** Bounds as options of an agent. */
export function agentOptions(bounds: SocketBounds) {
  return {
    keepAlive: true,
    maxSockets: bounds.perHost,
    maxTotalSockets: bounds.total,
    maxFreeSockets: Math.min(bounds.perHost, 16),
    timeout: bounds.idleMs,
    scheduling: 'lifo' as const,
  };
}

function guarded<Options extends ClientRequestArgs>(options: Options, { guard, resolve }: Guards): Options {
  return { ...options, lookup: guardedLookup(resolve, guard, Number(options.port)) };
}

/**
 * A look-up is never asked about a literal address, so those are checked here. The refusal goes to the callback, in a
 * later turn: an agent does not catch what is thrown while it serves a request that had to wait.
 */
function isRefused(options: ClientRequestArgs, { guard }: Guards, callback: OnSocket | undefined): boolean {
  const host = options.host ?? '';
  if (isIP(host) === 0) return false;
  try {
    guard.check(host, [host], Number(options.port));
    return false;
  } catch (error) {
    if (callback === undefined || !(error instanceof OutboundRefused)) throw error;
    process.nextTick(callback, error, new Socket());
    return true;
  }
}
