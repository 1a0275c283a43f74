import type { OutboundRequest } from './outbound-http';

/** Headers that describe the body, left out when a redirect drops it. */
const BODY_HEADERS = new Set(['content-type', 'content-encoding', 'content-language', 'content-location']);
const ALWAYS_SECRET = ['authorization', 'cookie', 'cookie2'];

/** The parts of a request that change from hop to hop. */
export interface Hop extends Pick<
  OutboundRequest,
  'method' | 'url' | 'headers' | 'body' | 'idempotencyKey' | 'clientCertificate'
> {
  /** True once a redirect has left the first origin, also if a later one leads back. */
  readonly hasLeft?: boolean;
}

/** The place a response redirects to, or undefined if it is not a redirect that can be followed. */
export function redirectLocation(status: number, location: string | undefined, from: URL): URL | undefined {
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  // Header bytes arrive as Latin-1; servers send UTF-8 in Location.
  const text = Buffer.from(location, 'latin1').toString('utf8');
  return URL.canParse(text, from.href) ? new URL(text, from.href) : undefined;
}

/**
 * The request that follows a redirect. 303 turns every method but HEAD into GET, 301 and 302 turn POST into GET, each
 * without the body; other redirects repeat the request. Everything that a credential adds, in headers, query and body,
 * and the client certificate go to the first origin only: they are left out once a redirect has left it, also if a
 * later one leads back.
 */
export function nextHop(request: OutboundRequest, hop: Hop, status: number, from: URL, to: URL): Hop {
  const dropsBody =
    status === 303
      ? hop.method !== 'HEAD' && hop.method !== 'GET'
      : (status === 301 || status === 302) && hop.method === 'POST';
  const hasLeft = hop.hasLeft === true || from.origin !== to.origin;
  const isLeaving = hasLeft && hop.hasLeft !== true;
  const { query = '', elsewhere } = request.credential ?? {};
  const repeated = isLeaving && elsewhere !== undefined ? elsewhere : hop;
  // An earlier redirect may have dropped the body, and its headers with it.
  const isBodyGone = dropsBody || (repeated !== hop && hop.body === undefined);
  const hasBody = !dropsBody && hop.body !== undefined;
  const secret = new Set([...ALWAYS_SECRET, ...(request.secretHeaders ?? []).map((name) => name.toLowerCase())]);
  const headers = (repeated.headers ?? []).filter(([name]) => {
    const key = name.toLowerCase();
    return !(isBodyGone && BODY_HEADERS.has(key)) && !(hasLeft && secret.has(key));
  });
  return {
    method: dropsBody ? 'GET' : hop.method,
    url: (hasLeft ? withoutParameters(to, query) : withParameters(to, query)).href,
    headers,
    ...(hasLeft ? { hasLeft } : {}),
    ...(hasBody && repeated.body !== undefined ? { body: repeated.body } : {}),
    ...(hop.clientCertificate === undefined || hasLeft ? {} : { clientCertificate: hop.clientCertificate }),
    ...(hop.idempotencyKey === undefined || dropsBody ? {} : { idempotencyKey: hop.idempotencyKey }),
  };
}

const partsOf = (query: string): string[] => query.split('&').filter((part) => part !== '');

/** One parameter, decoded: two spellings of one are equal. */
const decoded = (part: string): string => new URLSearchParams(part).toString();

const nameOf = (part: string): string => new URLSearchParams(part).keys().next().value ?? '';

/** The URL with the parameters whose names it lacks. The others keep their spelling. */
function withParameters(url: URL, query: string): URL {
  const missing = partsOf(query).filter((part) => !url.searchParams.has(nameOf(part)));
  if (missing.length === 0) return url;
  const next = new URL(url);
  next.search = [...partsOf(url.search.slice(1)), ...missing].join('&');
  return next;
}

/** The URL without the parameters. The others keep their spelling. */
function withoutParameters(url: URL, query: string): URL {
  const secret = new Set(partsOf(query).map(decoded));
  const parts = partsOf(url.search.slice(1));
  const rest = parts.filter((part) => !secret.has(decoded(part)));
  if (secret.size === 0 || rest.length === parts.length) return url;
  const next = new URL(url);
  next.search = rest.join('&');
  return next;
}
