import { isDeepStrictEqual } from 'node:util';
import {
  createOutboundClient,
  fitsHosts,
  type OutboundHttp,
  OutboundRefused,
  type OutboundRequest,
  type OutboundStreamRequest,
  type OutboundStreams,
} from '@weft/outbound';
import { type SeenRequest, serveEcho } from '@weft/outbound/testing';
import type { CaseAnswer, CaseExchange } from '../cases/node-case';

/** A local HTTP server and a real client for it. */
export interface CaseServer {
  readonly url: string;
  readonly http: OutboundHttp;
  readonly streams: OutboundStreams;
  /** Sets its response from now on; undefined echoes the request. */
  answerWith(answer: CaseAnswer | undefined): void;
  /** Expects these requests from now on, each once; undefined expects none. */
  expectExchanges(exchanges: readonly CaseExchange[] | undefined): void;
  /** Unexpected requests, and expected ones that did not arrive. */
  missed(): readonly unknown[];
  last(): SeenRequest;
  /** CPU in milliseconds that its echoes have taken of this thread. */
  cpuMs(): number;
  close(): Promise<void>;
}

/** Starts it. The caller closes it. */
export async function startCaseServer(): Promise<CaseServer> {
  let answer: CaseAnswer | undefined;
  let expected: CaseExchange[] | undefined;
  let unexpected: unknown[] = [];
  let cpuMs = 0;
  const server = await serveEcho((seen, response) => {
    // Cases with the worst strings send gigabytes.
    server.seen.splice(0, server.seen.length - 1);
    if (expected !== undefined) {
      const at = expected.findIndex((one) => fits(one, seen));
      const [found] = at < 0 ? [] : expected.splice(at, 1);
      if (found === undefined) unexpected.push(echoOf(seen));
      const status = found === undefined ? 599 : (found.status ?? 200);
      const { headers = {}, response: body = 'unexpected' } = found ?? {};
      const isText = typeof body === 'string';
      response
        .writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
        .end(isText ? body : JSON.stringify(body));
      return;
    }
    const before = process.threadCpuUsage();
    const { status = 200, type = 'application/json', body } = answer ?? { body: JSON.stringify(echoOf(seen)) };
    response.writeHead(status, { 'content-type': type }).end(body);
    const { user, system } = process.threadCpuUsage(before);
    cpuMs += (user + system) / 1_000;
  });
  const client = createOutboundClient({ allow: [`127.0.0.1:${server.port}`] });
  return {
    url: server.url,
    http: standIn(client, server.url),
    streams: streamsOf(client, server.url),
    expectExchanges: (exchanges) => {
      expected = exchanges === undefined ? undefined : [...exchanges];
      unexpected = [];
    },
    missed: () => [...unexpected, ...(expected ?? [])],
    answerWith: (wanted) => {
      answer = wanted;
    },
    last: server.last,
    cpuMs: () => cpuMs,
    close: async () => {
      client.close();
      await server.close();
    },
  };
}

function echoOf({ method, path, body, headers }: SeenRequest): object {
  return { method, path, body, type: headers['content-type'] ?? null };
}

/** Name of the header with the host of the original request. */
const HOST = 'x-case-host';

/** A client whose requests to all other hosts go to the local server, if the limits of the request allow the host. */
function standIn(client: OutboundHttp, local: string): OutboundHttp {
  return { request: async (request) => client.request(toLocal(request, local)) };
}

/** The same for streamed responses. */
function streamsOf(client: OutboundStreams, local: string): OutboundStreams {
  return { stream: async (request) => client.stream(toLocal(request, local)) };
}

type Addressed = Pick<OutboundRequest & OutboundStreamRequest, 'url' | 'headers' | 'allowedHosts' | 'declaredHosts'>;

/** @throws OutboundRefused for a host that the request must not reach */
function toLocal<Request extends Addressed>(
  request: Request,
  local: string,
): Omit<Request, 'allowedHosts' | 'declaredHosts'> {
  const url = URL.canParse(request.url) ? new URL(request.url) : new URL(local);
  if (url.host === new URL(local).host || url.hostname === '127.0.0.1') return request;
  const { declaredHosts, allowedHosts, ...others } = request;
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  for (const hosts of [declaredHosts, allowedHosts])
    if (hosts !== undefined && !fitsHosts(url.hostname, port, hosts))
      throw new OutboundRefused('undeclared-host', `Not a host of the app: ${url.hostname}`);
  const headers = [...(request.headers ?? []), [HOST, url.host] as const];
  return { ...others, headers, url: `${local}${url.pathname}${url.search}` };
}

function fits({ expect }: CaseExchange, seen: SeenRequest): boolean {
  const { method, path, headers = {}, host, body } = expect;
  return (
    (method === undefined || method === seen.method) &&
    (path === undefined || path === seen.path) &&
    (host === undefined || host === seen.headers[HOST]) &&
    Object.entries(headers).every(([name, value]) => (seen.headers[name] ?? '') === value) &&
    (body === undefined || fitsBody(body, seen.body))
  );
}

function fitsBody(expected: unknown, body: string): boolean {
  if (typeof expected === 'string') return body.includes(expected);
  if (Array.isArray(expected) && expected.every((part) => typeof part === 'string') && !body.startsWith('['))
    return expected.every((part) => body.includes(part));
  try {
    return isDeepStrictEqual(JSON.parse(body), expected);
  } catch {
    return false;
  }
}
