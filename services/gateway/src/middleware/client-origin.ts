import { clientBlock } from '@weft/service-kit/auth';
import type { Logger } from '@weft/service-kit/logging';
import type { IncomingMessage } from 'node:http';
import { withoutTrailing } from '@weft/service-kit/text';

/** Trust in proxy headers. */
export interface ProxyTrust {
  /** Number of proxies in front. */
  readonly trustProxy: number;
  /** The public address of the gateway; empty: taken from the request. */
  readonly publicUrl: string;
  /** The address that serves webhooks and forms, and nothing else; empty: that of the gateway. */
  readonly webhookHost: string;
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

/** The part of that address by which capacity is shared: a client controls more than one address of its network. */
export const clientShare = (request: IncomingMessage, trust: Pick<ProxyTrust, 'trustProxy'>): string =>
  clientBlock(clientAddress(request, trust));

/**
 * Warns of a configuration in which every client behind a proxy counts as one: at once if the public address tells that
 * there is a proxy, and at the first request whose X-Forwarded-For is ignored.
 * @returns a check for every request
 */
export const warnAboutProxies = (
  { trustProxy, publicUrl }: Pick<ProxyTrust, 'trustProxy' | 'publicUrl'>,
  logger: Pick<Logger, 'warn'>,
): ((request: Pick<IncomingMessage, 'headers'>) => void) => {
  const advice =
    'limits and address lists see the proxy in place of its clients: set TRUST_PROXY to the number of proxies in front';
  if (trustProxy === 0 && publicUrl.startsWith('https:'))
    logger.warn({ publicUrl }, `PUBLIC_URL is https, so a proxy is in front, but TRUST_PROXY is 0; ${advice}`);
  let isOpen = trustProxy === 0;
  return ({ headers }) => {
    if (!isOpen || headers['x-forwarded-for'] === undefined) return;
    isOpen = false;
    logger.warn(`X-Forwarded-For is ignored, because TRUST_PROXY is 0; if a proxy sent it, ${advice}`);
  };
};

/** Host and port of a URL, without the default port of its scheme; undefined if it is not a URL. */
export const hostOf = (url: string): string | undefined => URL.parse(url)?.host;

/** True for a valid Host header: a name or an address, with or without a port. */
export const isHost = (host: string): boolean => /^[\w.:[\]-]{1,255}$/.test(host);

/** Scheme, host and port that the client used to reach the gateway, without a trailing slash. */
export const requestOrigin = (
  request: IncomingMessage,
  { trustProxy, publicUrl }: Omit<ProxyTrust, 'webhookHost'>,
): string => {
  if (publicUrl !== '') return withoutTrailing(publicUrl, '/');
  const forwarded = trustProxy > 0 ? lastEntries(request.headers['x-forwarded-proto']).at(-1) : undefined;
  const host = request.headers.host ?? '';
  return `${forwarded === 'https' ? 'https' : 'http'}://${isHost(host) ? host : 'localhost'}`;
};

/** True if the client used https to reach the gateway. */
export const isHttps = (request: IncomingMessage, trust: Omit<ProxyTrust, 'webhookHost'>): boolean =>
  requestOrigin(request, trust).startsWith('https:');

/** Scheme, host and port of the addresses of webhooks and forms, without a trailing slash. */
export const ingressOrigin = (request: IncomingMessage, trust: ProxyTrust): string =>
  trust.webhookHost === '' ? requestOrigin(request, trust) : withoutTrailing(trust.webhookHost, '/');
