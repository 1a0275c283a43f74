import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { bodyOf, type LocalServer, serveHttp } from './local-server';

/** A request as an echo server received it. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** A server that records its requests. */
export interface EchoServer extends LocalServer {
  readonly seen: SeenRequest[];
  /** The latest request. Throws if there was none. */
  last(): SeenRequest;
}

/** Response of an echo server to a request. The default is JSON `{"ok":true}`. */
export type Answer = (seen: SeenRequest, respond: Parameters<RequestListener>[1]) => void;

/** Starts a server that records every request and responds as configured. */
export async function serveEcho(
  answer: Answer = (_seen, response) => {
    response.setHeader('content-type', 'application/json').end('{"ok":true}');
  },
): Promise<EchoServer> {
  const seen: SeenRequest[] = [];
  const server = await serveHttp((request, response) => {
    void bodyOf(request).then((body) => {
      const one = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body,
      };
      seen.push(one);
      answer(one, response);
    });
  });
  return {
    ...server,
    seen,
    last: () => {
      const last = seen.at(-1);
      if (last === undefined) throw new Error('The server has seen no request.');
      return last;
    },
  };
}
