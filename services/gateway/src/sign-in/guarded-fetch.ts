import type { CustomFetch, ServerMetadata } from 'openid-client';

/** Maximum bytes of a provider's response: its keys and metadata have a few kilobytes. */
const MAX_ANSWER_BYTES = 1_000_000;

/** A response with its whole body. @throws Error if that is too large */
const bounded = async (response: Response, url: string): Promise<Response> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`The answer of ${url} has more than ${MAX_ANSWER_BYTES} bytes.`);
    parts.push(part);
  }
  const { status, statusText, headers } = response;
  const hasBody = bytes > 0 && status !== 204 && status !== 304;
  return new Response(hasBody ? Buffer.concat(parts) : null, { status, statusText, headers });
};

/** Endpoints in a provider's metadata that the gateway calls. */
export type CalledEndpoints = Pick<ServerMetadata, 'token_endpoint' | 'jwks_uri' | 'userinfo_endpoint'>;

/**
 * Calls only the provider: the host of the issuer, and over TLS also the hosts of the endpoints in its metadata.
 * Redirects are not followed.
 * @param endpoints of the metadata; undefined until it is read
 */
export const createGuardedFetch = (issuer: URL, endpoints: () => CalledEndpoints | undefined): CustomFetch => {
  const isEndpointHost = (host: string): boolean => {
    const { token_endpoint, jwks_uri, userinfo_endpoint } = endpoints() ?? {};
    return [token_endpoint, jwks_uri, userinfo_endpoint].some(
      (url) => url !== undefined && URL.parse(url)?.host === host,
    );
  };
  return async function fetchFromProvider(url, { method, headers, body, signal }) {
    const { protocol, host } = new URL(url);
    const isSecure = protocol === 'https:' && issuer.protocol === 'https:';
    const isAllowed = (protocol === issuer.protocol && host === issuer.host) || (isSecure && isEndpointHost(host));
    if (!isAllowed)
      throw new Error(`${protocol}//${host} is neither the issuer nor an https endpoint of its metadata.`);
    const init = { method, headers, redirect: 'manual', ...(signal === undefined ? {} : { signal }) } as const;
    return bounded(await fetch(url, body === undefined ? init : { ...init, body }), url);
  };
};
