import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import {
  OutboundError,
  type OutboundHttp,
  type OutboundRequest,
  type OutboundResponse,
  type OutboundStreams,
} from './outbound-http';
import { addressGuard } from '../guard/address-guard';
import { parseAllowList } from '../guard/allow-list';
import { checkMethod } from './check-headers';
import { checkTarget, type Target } from '../guard/check-target';
import { type Deadline, startDeadline } from './deadline';
import { describeFailure } from './describe-failure';
import { exchange, type ExchangeSettings } from './exchange';
import type { SocketBounds } from '../guard/guarded-agents';
import type { Resolver } from '../guard/guarded-lookup';
import { type Hop, nextHop, redirectLocation } from './next-hop';
import type { BodyRoom } from './body-room';
import { readBody } from './read-body';
import { askUncompressed, openStream } from './open-stream';
import { createEgressRoutes, type EgressRoutes } from '../proxy/egress-routes';

const DEFAULT_MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
const DEFAULT_IDLE_TIMEOUT_MS = 60_000;
const DEFAULT_MAX_REDIRECTS = 5;
const HIGHEST_MAX_REDIRECTS = 21;

/** Settings of a client. */
export interface OutboundSettings {
  /** Entries of OUTBOUND_ALLOW; see `parseAllowList`. */
  readonly allow: readonly string[];
  /** Sent unless the request sets a User-Agent; `weft` if absent. */
  readonly userAgent?: string;
  /** Resolves host names; the system's resolver if absent. */
  readonly resolve?: Resolver;
  /** Value of OUTBOUND_PROXY; see `parseProxy`. Absent or empty: hosts are connected to directly. */
  readonly proxy?: string;
  /**
   * True: the proxy is asked for names, including those that this process cannot resolve. Otherwise it is asked for
   * addresses that the guard has checked.
   */
  readonly proxyResolves?: boolean;
  /**
   * Entries of OUTBOUND_NO_PROXY, written as in `allow`: hosts, and literal addresses in blocks, that are connected to
   * past the proxy.
   */
  readonly noProxy?: readonly string[];
  readonly sockets?: Partial<SocketBounds>;
}

/** Opens all connections that this process makes for workflows. */
export interface OutboundClient extends OutboundHttp, OutboundStreams {
  /**
   * Opens a bare socket for a protocol other than HTTP, by the same rules and through the same proxy. Aborting ends it.
   * Rejects with an OutboundError, or with the error of the socket.
   */
  openSocket(host: string, port: number, signal: AbortSignal): Promise<Socket>;
  /** Ends all connections. Requests in progress fail. */
  close(): void;
}

/**
 * Creates the outbound client of a process. It reads no proxy variables of the environment, retries nothing, and checks
 * every hop of every request against the address guard.
 * @throws Error if an entry of `allow` or the proxy is invalid
 */
export function createOutboundClient(settings: OutboundSettings): OutboundClient {
  const guard = addressGuard(parseAllowList(settings.allow));
  const { agentsFor, openSocket, close } = createEgressRoutes(guard, settings);
  const userAgent = settings.userAgent ?? 'weft';
  const send = <Result>(request: OutboundRequest, deadline: Deadline, receive: Receive<Result>): Promise<Result> =>
    followHops(
      request,
      (url) => checkTarget(url, guard, request),
      agentsFor,
      { userAgent, signal: deadline.signal, allowUnauthorizedCerts: request.allowUnauthorizedCerts ?? false },
      deadline,
      receive,
    );
  return {
    request: async (request) => {
      const deadline = startDeadline(request.timeoutMs, request.signal);
      try {
        return await send(request, deadline, async (response, { url }, leave) => {
          try {
            return await inTime(complete(response, url, request, deadline), deadline);
          } finally {
            leave();
          }
        });
      } finally {
        deadline.end();
      }
    },
    stream: async (request) => {
      const deadline = startDeadline(request.timeoutMs, request.signal);
      const maxBytes = request.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES;
      const idleMs = Math.max(1, request.idleTimeoutMs ?? DEFAULT_IDLE_TIMEOUT_MS);
      try {
        return await send(askUncompressed(request), deadline, async (response, { url, host }, leave) => ({
          ...headOf(response, url),
          ...openStream(response, { host, deadline, maxBytes, idleMs, leave }),
        }));
      } catch (error) {
        deadline.end();
        throw error;
      }
    },
    openSocket,
    close,
  };
}

/**
 * Receives the response that ends a request.
 * @param leave called once its connection is free
 */
type Receive<Result> = (response: IncomingMessage, target: Target, leave: () => void) => Promise<Result>;

async function followHops<Result>(
  request: OutboundRequest,
  targetOf: (url: string) => Target,
  agentsFor: EgressRoutes['agentsFor'],
  settings: Omit<ExchangeSettings, 'agents'>,
  deadline: Deadline,
  receive: Receive<Result>,
): Promise<Result> {
  const maxRedirects = request.followRedirects
    ? Math.min(request.maxRedirects ?? DEFAULT_MAX_REDIRECTS, HIGHEST_MAX_REDIRECTS)
    : 0;
  let hop: Hop = { ...request, method: checkMethod(request.method) };
  for (let redirects = 0; ; redirects += 1) {
    const target = targetOf(hop.url);
    const agents = agentsFor(target.host, target.port);
    let leave = (): void => undefined;
    try {
      leave = (await agents.gate?.enter(target.url.origin, settings.signal)) ?? leave;
      const response = await exchange(target, hop, { ...settings, agents });
      const status = response.statusCode ?? 0;
      const to = request.followRedirects ? redirectLocation(status, response.headers.location, target.url) : undefined;
      if (to === undefined) return await receive(response, target, leave);
      response.destroy();
      leave();
      if (redirects >= maxRedirects)
        throw new OutboundError('TOO_MANY_REDIRECTS', `The request was redirected more than ${maxRedirects} times.`);
      hop = nextHop(request, hop, status, target.url, to);
    } catch (error) {
      leave();
      throw describeFailure(error, target.url.hostname, deadline);
    }
  }
}

/**
 * A body without a length looks complete when the deadline ends its connection.
 * @throws the reason of the deadline if it has passed
 */
async function inTime(reading: Promise<OutboundResponse>, deadline: Deadline): Promise<OutboundResponse> {
  const response = await reading;
  const late = deadline.reason();
  if (late !== undefined) throw late;
  return response;
}

async function complete(
  response: IncomingMessage,
  url: URL,
  { maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES, bodyRoom, skipsBody }: OutboundRequest,
  deadline: Deadline,
): Promise<OutboundResponse> {
  const room: BodyRoom | undefined = bodyRoom && {
    make: (bytes) => deadline.pauseFor(() => bodyRoom.make(bytes)),
    hold: (bytes) => deadline.pauseFor(() => bodyRoom.hold(bytes)),
  };
  const body = skipsBody === true ? skipped(response) : await readBody(response, maxResponseBytes, room);
  return { ...headOf(response, url), body };
}

function headOf(response: IncomingMessage, url: URL): Omit<OutboundResponse, 'body'> {
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    headers: headersOf(response),
    url: url.href,
  };
}

function skipped(response: IncomingMessage): Uint8Array {
  response.destroy();
  return new Uint8Array();
}

function headersOf(response: IncomingMessage): Record<string, string | readonly string[]> {
  const headers: Record<string, string | readonly string[]> = Object.create(null);
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}
