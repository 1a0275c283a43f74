/** How this server is reached. */
export interface OwnAddress {
  /** The configured origin, for example `https://weft.example`; absent: not configured. */
  readonly publicOrigin?: string;
  /** The Host header. */
  readonly host: string | undefined;
}

const parse = (origin: string): URL | undefined => (URL.canParse(origin) ? new URL(origin) : undefined);

/** Hosts whose address no DNS record decides. The parser of URLs has normalised them. */
const isFixed = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.startsWith('[') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(hostname);

/**
 * True if a request with this Origin header may be served: pages of other sites may not use the server through a
 * visitor's browser. A DNS name that only the Host header confirms may be one that an attacker has pointed here, so it
 * counts only if it is configured; an address, and `localhost`, cannot be pointed elsewhere.
 */
export const isOriginAllowed = (origin: string | undefined, { publicOrigin, host }: OwnAddress): boolean => {
  if (origin === undefined) return true;
  const from = parse(origin);
  if (from === undefined) return false;
  if (publicOrigin !== undefined && from.host === parse(publicOrigin)?.host) return true;
  return from.host === host?.toLowerCase() && isFixed(from.hostname);
};
