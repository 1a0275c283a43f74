import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to a receiver. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Responds to a request, or leaves it open. */
export type Respond = (response: ServerResponse, request: Received, attempt: number) => void;

/** Receivers of notifications on one server, by path. */
export interface Receivers {
  readonly port: number;
  /** Adds a receiver. @returns its URL */
  readonly add: (name: string, respond: Respond) => string;
  /** The requests to a receiver so far. */
  readonly of: (name: string) => readonly Received[];
  readonly stop: () => Promise<void>;
}

/** Starts the server. */
export const startReceivers = async (): Promise<Receivers> => {
  const received = new Map<string, Received[]>();
  const responses = new Map<string, Respond>();
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? '', 'http://receivers.invalid').pathname.slice(1);
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const list = received.get(name) ?? [];
      const one = { headers: request.headers, body: Buffer.concat(parts).toString('utf8') };
      list.push(one);
      received.set(name, list);
      responses.get(name)?.(response, one, list.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    add: (name, respond) => {
      responses.set(name, respond);
      return `http://127.0.0.1:${port}/${name}`;
    },
    of: (name) => received.get(name) ?? [],
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** A response without a body. */
export const status =
  (code: number): Respond =>
  (response) =>
    void response.writeHead(code).end();
