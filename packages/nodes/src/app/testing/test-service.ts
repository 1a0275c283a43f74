import { createOutboundClient, type OutboundClient } from '@weft/outbound';
import { type EchoServer, type SeenRequest, serveEcho } from '@weft/outbound/testing';

/** Response of a service. */
export interface ServiceAnswer {
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is a string. */
  readonly body: unknown;
}

/** The service of an app. It runs while the tests of a file run. */
export interface TestService {
  readonly url: string;
  readonly port: number;
  /** A client that reaches this service only. */
  readonly client: OutboundClient;
}

/**
 * Starts a service before the tests of a file and stops it after them. Call it once, outside tests.
 * @param answer undefined: it never answers
 */
export function testService(answer: (seen: SeenRequest) => ServiceAnswer | undefined): TestService {
  let server: EchoServer;
  let client: OutboundClient;
  beforeAll(async () => {
    server = await serveEcho((seen, response) => {
      const given = answer(seen);
      if (given === undefined) return;
      const { status = 200, headers = {}, body } = given;
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    client = createOutboundClient({ allow: [`127.0.0.1:${server.port}`] });
  });
  afterAll(async () => {
    client.close();
    await server.close();
  });
  return {
    get url() {
      return server.url;
    },
    get port() {
      return server.port;
    },
    get client() {
      return client;
    },
  };
}
