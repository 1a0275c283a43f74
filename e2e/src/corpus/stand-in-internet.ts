import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { makeCertificate, type ServerCertificate } from './certificate';
import { madeAnswers, madeHosts } from './made-answers';
import {
  answerOf,
  belongsTo,
  readRecordedAnswers,
  type Answer,
  type RecordedAnswer,
  type SeenRequest,
} from './recorded-answers';

/** The hosts that the corpus calls, behind one HTTP proxy. */
export interface StandInInternet {
  /** Value of OUTBOUND_PROXY. */
  readonly proxyUrl: string;
  /** Value of NODE_EXTRA_CA_CERTS for clients that are to trust its hosts. */
  readonly authorityFile: string;
  /** `METHOD url headers` of the requests without an answer; they got 502. */
  readonly unanswered: readonly string[];
  readonly stop: () => Promise<void>;
}

/**
 * Starts a proxy that reaches no network: for each request it gives the answer recorded with the corpus, one after
 * another where there are several, the last of them from then on.
 */
export const startStandInInternet = async (): Promise<StandInInternet> => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-internet-'));
  const recorded = readRecordedAnswers();
  const hosts = new Set([...recorded.map(({ base }) => new URL(base).hostname), ...madeHosts]);
  const certificate = makeCertificate(folder, [...hosts]);
  const unanswered: string[] = [];
  const server = proxyFor(certificate, answerer(recorded, unanswered));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    proxyUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authorityFile: certificate.authorityFile,
    unanswered,
    stop: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

type Answerer = (request: SeenRequest) => Answer;

const answerer = (recorded: readonly RecordedAnswer[], unanswered: string[]): Answerer => {
  const given = new Map<RecordedAnswer, number>();
  return (request) => {
    const fitting = recorded.filter((one) => belongsTo(one, request));
    const next = fitting.find((one) => !given.has(one)) ?? fitting.at(-1);
    if (next !== undefined) {
      given.set(next, (given.get(next) ?? 0) + 1);
      return answerOf(next);
    }
    for (const made of madeAnswers) {
      const answer = made(request);
      if (answer !== undefined) return answer;
    }
    unanswered.push(`${request.method} ${request.url.href} ${JSON.stringify(request.headers)}`);
    return { status: 502, headers: {}, body: Buffer.from('Nothing is recorded for this request.') };
  };
};

/** A proxy that takes absolute URLs, and tunnels, encrypted ones on port 443. */
const proxyFor = ({ key, certificate }: ServerCertificate, answer: Answerer): Server => {
  const secureContext = createSecureContext({ key, cert: certificate });
  const inTunnel = createServer((request, response) => {
    const scheme = request.socket instanceof TLSSocket ? 'https' : 'http';
    void respond(request, response, `${scheme}://${request.headers.host ?? ''}${request.url ?? '/'}`, answer);
  });
  const proxy = createServer((request, response) => {
    void respond(request, response, request.url ?? '', answer);
  });
  proxy.on('connect', (request, socket) => {
    socket.on('error', () => socket.destroy());
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    inTunnel.emit(
      'connection',
      request.url?.endsWith(':443') === true ? new TLSSocket(socket, { isServer: true, secureContext }) : socket,
    );
  });
  proxy.once('close', () => inTunnel.closeAllConnections());
  return proxy;
};

const respond = async (
  request: IncomingMessage,
  response: ServerResponse,
  url: string,
  answer: Answerer,
): Promise<void> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  const { status, headers, body } = answer({
    method: request.method ?? 'GET',
    url: new URL(url),
    headers: request.headers,
    body: Buffer.concat(parts).toString('utf8'),
  });
  // A recording holds the headers of the service alone: what a server adds for the transport would show in full
  // responses.
  for (const name of ['date', 'connection', 'transfer-encoding', 'content-length']) response.removeHeader(name);
  response.writeHead(status, headers);
  response.end(body);
};
