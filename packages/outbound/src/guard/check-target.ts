import { isIP } from 'node:net';
import { OutboundRefused, type OutboundRequest } from '../http/outbound-http';
import type { AddressGuard } from './address-guard';
import { coversHost, parseHostPattern } from './host-pattern';

/** Target of one hop. */
export interface Target {
  readonly url: URL;
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
}

/**
 * Checks everything about a URL that can be known before a name is resolved.
 * @throws OutboundRefused for a scheme other than http and https, user or password in the URL, a literal address that
 * is not allowed, or a host outside `allowedHosts` or `declaredHosts`.
 */
export function checkTarget(
  text: string,
  guard: AddressGuard,
  limits: Pick<OutboundRequest, 'allowedHosts' | 'declaredHosts'> = {},
): Target {
  const url = parseUrl(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundRefused(
      'scheme',
      `The URL begins with "${url.protocol}". Only http: and https: can be requested.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundRefused(
      'url-credentials',
      'The URL contains a user name or a password. Use a credential for them.',
    );
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (limits.declaredHosts !== undefined && !fitsHosts(host, port, limits.declaredHosts))
    throw new OutboundRefused(
      'undeclared-host',
      `The app may not send requests to "${host}": it does not declare this host.`,
    );
  if (limits.allowedHosts !== undefined && !fitsHosts(host, port, limits.allowedHosts))
    throw new OutboundRefused(
      'credential-host',
      `The credential may not be used for requests to "${host}". Its owner can change the hosts it is allowed for.`,
    );
  if (isIP(host) !== 0) guard.check(host, [host], port);
  return { url, host, port };
}

function parseUrl(text: string): URL {
  if (!URL.canParse(text))
    throw new OutboundRefused('url', 'The URL is not valid. Write it in full, for example https://example.com/path.');
  return new URL(text);
}

/** True if one of the host patterns covers a host and port. */
export function fitsHosts(host: string, port: number, patterns: readonly string[]): boolean {
  return patterns.some((text) => {
    const pattern = parseHostPattern(text);
    return pattern === undefined ? text.trim().replace(/^\[(.*)\]$/, '$1') === host : coversHost(pattern, host, port);
  });
}
