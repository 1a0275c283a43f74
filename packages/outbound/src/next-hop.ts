import type { OutboundRequest } from './outbound-http';

/** Headers that describe the body, left out when a redirect drops it. */
const BODY_HEADERS = new Set(['content-type', 'content-encoding', 'content-language', 'content-location']);
const ALWAYS_SECRET = ['authorization', 'cookie', 'cookie2'];

/** The parts of a request that change from hop to hop. */
export type Hop = Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body' | 'idempotencyKey' | 'clientCertificate'>;

/** The place a response redirects to, or undefined if it is not a redirect that can be followed. */
export function redirectLocation(status: number, location: string | undefined, from: URL): URL | undefined {
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  // Header bytes arrive as Latin-1; servers send UTF-8 in Location.
  const text = Buffer.from(location, 'latin1').toString('utf8');
  return URL.canParse(text, from.href) ? new URL(text, from.href) : undefined;
}

/**
 * The request that follows a redirect. 303 turns every method but HEAD into GET, 301 and 302 turn POST into GET, each
 * without the body; other redirects repeat the request. When the origin changes, all secret headers and the client
 * certificate are left out, also if a later redirect leads back.
 */
export function nextHop(request: OutboundRequest, hop: Hop, status: number, from: URL, to: URL): Hop {
  const dropsBody =
    status === 303
      ? hop.method !== 'HEAD' && hop.method !== 'GET'
      : (status === 301 || status === 302) && hop.method === 'POST';
  const changesOrigin = from.origin !== to.origin;
  const secret = new Set([...ALWAYS_SECRET, ...(request.secretHeaders ?? []).map((name) => name.toLowerCase())]);
  const headers = (hop.headers ?? []).filter(([name]) => {
    const key = name.toLowerCase();
    return !(dropsBody && BODY_HEADERS.has(key)) && !(changesOrigin && secret.has(key));
  });
  const keepsBody = !dropsBody && hop.body !== undefined;
  return {
    method: dropsBody ? 'GET' : hop.method,
    url: to.href,
    headers,
    ...(keepsBody ? { body: hop.body } : {}),
    ...(hop.clientCertificate === undefined || changesOrigin ? {} : { clientCertificate: hop.clientCertificate }),
    ...(hop.idempotencyKey === undefined || dropsBody ? {} : { idempotencyKey: hop.idempotencyKey }),
  };
}
