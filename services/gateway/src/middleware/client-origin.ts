import type { IncomingMessage } from 'node:http';
import { withoutTrailing } from '@weft/service-kit/text';

/** Trust in proxy headers. */
export interface ProxyTrust {
  /** Number of proxies in front. */
  readonly trustProxy: number;
  /** The public address of the gateway; empty: taken from the request. */
  readonly publicUrl: string;
}

const lastEntries = (header: string | string[] | undefined): string[] =>
  (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/**
 * The address of a request's client. Each trusted proxy appends the address it saw to X-Forwarded-For; entries further
 * left are claims of the client and are ignored.
 */
export const clientAddress = (request: IncomingMessage, { trustProxy }: Pick<ProxyTrust, 'trustProxy'>): string => {
  const own = request.socket.remoteAddress ?? '';
  if (trustProxy === 0) return own;
  const seen = lastEntries(request.headers['x-forwarded-for']);
  return seen[Math.max(0, seen.length - trustProxy)] ?? own;
};

/** True for a valid Host header: a name or an address, with or without a port. */
export const isHost = (host: string): boolean => /^[\w.:[\]-]{1,255}$/.test(host);

/** Scheme, host and port that the client used to reach the gateway, without a trailing slash. */
export const requestOrigin = (request: IncomingMessage, { trustProxy, publicUrl }: ProxyTrust): string => {
  if (publicUrl !== '') return withoutTrailing(publicUrl, '/');
  const forwarded = trustProxy > 0 ? lastEntries(request.headers['x-forwarded-proto']).at(-1) : undefined;
  const host = request.headers.host ?? '';
  return `${forwarded === 'https' ? 'https' : 'http'}://${isHost(host) ? host : 'localhost'}`;
};
