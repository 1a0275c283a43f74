import { InvalidRequest } from '@weft/service-kit/errors';
import type { IncomingMessage } from 'node:http';
import { isHost } from './client-origin';

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

const countOf = ({ rawHeaders }: IncomingMessage, wanted: string): number =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === wanted).length;

const refusal = (field: string, message: string): InvalidRequest =>
  new InvalidRequest('The HTTP request is malformed.', [{ field, message }]);

/** Converts a request target in absolute form, as clients send it to proxies, to origin form (RFC 9112, 3.2.2). */
export const originForm = (target: string): string => {
  const rest = target.replace(ABSOLUTE_FORM, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
};

/**
 * Refuses requests that Node's parser accepts and other hops may interpret differently: no Host or two of them, an
 * invalid one, and transfer codings that would be ignored.
 * @throws InvalidRequest
 */
export const checkProtocol = (request: IncomingMessage): void => {
  const { host = '', expect, 'transfer-encoding': coding } = request.headers;
  const hosts = countOf(request, 'host');
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) throw refusal('Host', 'must be sent exactly once');
  if (host !== '' && !isHost(host)) throw refusal('Host', 'must be a host name or an address, with a port if needed');
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked')
    throw refusal('Transfer-Encoding', 'must be chunked or omitted: bodies are not compressed');
  if (expect !== undefined && expect.trim().toLowerCase() !== '100-continue')
    throw refusal('Expect', 'must be 100-continue or omitted');
};
