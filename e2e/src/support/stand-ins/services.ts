import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a service got. */
export interface ServiceRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** Status and JSON body, after `delayMs`. */
export interface ServiceAnswer {
  readonly status?: number;
  readonly body?: unknown;
  readonly delayMs?: number;
}

/** The HTTP services that a story calls, on one port. */
export interface Services {
  readonly url: string;
  readonly requests: readonly ServiceRequest[];
  /** Largest number of requests that were answered at the same time. */
  readonly mostAtOnce: () => number;
  /** Answers requests whose `METHOD path` matches; the newest rule first. Others get 200 and `{}`. */
  readonly answer: (pattern: RegExp, answer: (request: ServiceRequest, attempt: number) => ServiceAnswer) => void;
  readonly stop: () => Promise<void>;
}

/** Starts the services on a free port of 127.0.0.1. */
export const startServices = async (): Promise<Services> => {
  const requests: ServiceRequest[] = [];
  const rules: { readonly pattern: RegExp; readonly answer: Parameters<Services['answer']>[1]; calls: number }[] = [];
  let open = 0;
  let most = 0;
  const server = createServer((request, response) => {
    open += 1;
    most = Math.max(most, open);
    response.once('close', () => (open -= 1));
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8');
      const one: ServiceRequest = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
      requests.push(one);
      const rule = rules.find(({ pattern }) => pattern.test(`${one.method} ${one.path}`));
      if (rule !== undefined) rule.calls += 1;
      const { status = 200, body = {}, delayMs = 0 } = rule?.answer(one, rule.calls) ?? {};
      setTimeout(() => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      }, delayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    mostAtOnce: () => most,
    answer: (pattern, answer) => void rules.unshift({ pattern, answer, calls: 0 }),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
