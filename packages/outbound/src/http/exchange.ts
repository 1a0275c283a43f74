import type { ClientRequest, IncomingMessage, RequestOptions as HttpOptions } from 'node:http';
import { request as requestHttp } from 'node:http';
import type { RequestOptions } from 'node:https';
import { request as requestHttps } from 'node:https';
import { Readable, pipeline } from 'node:stream';
import { createSecureContext } from 'node:tls';
import { type ClientCertificate, OutboundError, type OutboundBody } from './outbound-http';
import { checkHeaders } from './check-headers';
import type { Target } from '../guard/check-target';
import type { GuardedAgents } from '../guard/guarded-agents';
import type { Hop } from './next-hop';
import { proxyRefusal } from '../proxy/proxy-path';

const MAX_RESPONSE_HEADER_BYTES = 64 * 1024;
const MAX_RESPONSE_HEADERS = 500;
const MAX_REQUEST_BYTES = 64 * 1024 * 1024;

/** State shared by all hops of a request. */
export interface ExchangeSettings {
  readonly agents: GuardedAgents;
  readonly signal: AbortSignal;
  readonly allowUnauthorizedCerts: boolean;
  readonly userAgent: string;
}

/**
 * Sends one hop and waits for the head of its response. The body of the response is for the caller to read or destroy.
 * Rejects with the error of the socket, or with an OutboundError.
 */
export function exchange(target: Target, hop: Hop, settings: ExchangeSettings): Promise<IncomingMessage> {
  const options = optionsOf(target, hop, settings);
  return new Promise((resolve, reject) => {
    const request = target.url.protocol === 'https:' ? requestHttps(options) : requestHttp(options);
    request.maxHeadersCount = MAX_RESPONSE_HEADERS + 1;
    request.on('error', reject);
    // Ended here, and not by an option of the request, which would watch it as a stream. One that has no socket yet
    // says nothing when it is ended.
    const giveUp = (): void => {
      reject(settings.signal.reason);
      request.destroy();
    };
    settings.signal.addEventListener('abort', giveUp, { once: true });
    let isAnswered = false;
    request.once('close', () => {
      settings.signal.removeEventListener('abort', giveUp);
      // Answers that switch protocols end a request without an error.
      if (!isAnswered)
        reject(new OutboundError('PROTOCOL', `The host "${target.host}" ended the exchange without an answer.`));
    });
    request.once('response', (response) => {
      isAnswered = true;
      // A server may answer before it has read the whole body: the rest of it is not sent then.
      response.once('end', () => {
        if (!request.writableFinished) request.destroy();
      });
      if (response.rawHeaders.length / 2 > MAX_RESPONSE_HEADERS) {
        response.destroy();
        reject(new OutboundError('TOO_LARGE', `The response has more than ${MAX_RESPONSE_HEADERS} headers.`));
      } else if (response.statusCode === 407 && settings.agents.absoluteForm !== undefined) {
        response.destroy();
        reject(proxyRefusal(target.host, 407));
      } else resolve(response);
    });
    if (settings.signal.aborted) giveUp();
    else sendBody(request, hop.body, reject);
  });
}

function optionsOf(target: Target, hop: Hop, settings: ExchangeSettings): HttpOptions & RequestOptions {
  const { url, host, port } = target;
  const isTls = url.protocol === 'https:';
  const asked = isTls ? undefined : settings.agents.absoluteForm;
  return {
    host,
    port,
    method: hop.method,
    path: `${asked === undefined ? '' : url.origin}${url.pathname}${url.search}`,
    headers: { ...headersOf(hop, settings.userAgent), ...asked?.headers },
    agent: isTls ? settings.agents.https : settings.agents.http,
    maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
    ...(isTls
      ? { rejectUnauthorized: !settings.allowUnauthorizedCerts, ...readable(hop.clientCertificate ?? {}) }
      : {}),
  };
}

/**
 * Tried here, where a failure can be reported: an agent does not catch what is thrown while it opens a socket for a
 * request that waited.
 */
function readable(certificate: ClientCertificate): ClientCertificate {
  try {
    if (Object.keys(certificate).length > 0) createSecureContext(certificate);
    return certificate;
  } catch {
    throw new OutboundError(
      'CERTIFICATE',
      'The client certificate, its key or its passphrase cannot be read. Give them as PEM, with their first ' +
        'and last lines.',
    );
  }
}

function headersOf(hop: Hop, userAgent: string): Record<string, string | string[]> {
  const given = checkHeaders(hop.headers ?? []);
  const headers: Record<string, string | string[]> = Object.create(null);
  for (const { name, values } of given.values()) headers[name] = values.length === 1 ? (values[0] ?? '') : values;
  if (!given.has('accept-encoding')) headers['accept-encoding'] = 'gzip, deflate, br';
  if (!given.has('user-agent')) headers['user-agent'] = userAgent;
  if (!given.has('accept')) headers['accept'] = '*/*';
  if (hop.idempotencyKey !== undefined && !given.has('idempotency-key'))
    headers['idempotency-key'] = hop.idempotencyKey;
  const length = hop.body?.length;
  if (length !== undefined) headers['content-length'] = String(length);
  return headers;
}

function sendBody(request: ClientRequest, body: OutboundBody | undefined, fail: (error: Error) => void): void {
  if (body === undefined || body instanceof Uint8Array) {
    if (body !== undefined && body.length > MAX_REQUEST_BYTES) {
      fail(requestTooLarge());
      request.destroy();
    } else request.end(body);
    return;
  }
  // A response that comes before the body is complete ends the exchange first; the failure is ignored then.
  pipeline(Readable.from(bounded(body.open())), request, (error) => {
    if (error) fail(error);
  });
}

async function* bounded(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_REQUEST_BYTES) throw requestTooLarge();
    yield chunk;
  }
}

function requestTooLarge(): OutboundError {
  return new OutboundError('TOO_LARGE', `The body of the request has more than ${MAX_REQUEST_BYTES} bytes.`);
}
