import { createOutboundClient, type OutboundHttp } from '@weft/outbound';
import { type SeenRequest, serveEcho } from '@weft/outbound/testing';
import type { CaseAnswer } from '../cases/node-case';

/** A local HTTP server and a real client for it. */
export interface CaseServer {
  readonly url: string;
  readonly http: OutboundHttp;
  /** Sets its response from now on; undefined echoes the request. */
  answerWith(answer: CaseAnswer | undefined): void;
  last(): SeenRequest;
  close(): Promise<void>;
}

/** Starts it. The caller closes it. */
export async function startCaseServer(): Promise<CaseServer> {
  let answer: CaseAnswer | undefined;
  const server = await serveEcho((seen, response) => {
    const { status = 200, type = 'application/json', body } = answer ?? { body: JSON.stringify(echoOf(seen)) };
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  const client = createOutboundClient({ allow: [`127.0.0.1:${server.port}`] });
  return {
    url: server.url,
    http: client,
    answerWith: (wanted) => {
      answer = wanted;
    },
    last: server.last,
    close: async () => {
      client.close();
      await server.close();
    },
  };
}

function echoOf({ method, path, body, headers }: SeenRequest): object {
  return { method, path, body, type: headers['content-type'] ?? null };
}
