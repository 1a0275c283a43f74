import type { CustomFetch } from 'openid-client';

/** Limit of an answer of the provider: its keys and its metadata have a few kilobytes. */
const MAX_ANSWER_BYTES = 1_000_000;

/** An answer with its whole body. @throws Error if that is too large */
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

/**
 * Calls the provider and nobody else: the issuer's host and those that the configuration names, whatever the metadata
 * of the provider says. Redirects are not followed.
 * @param hosts with their ports, if they have any
 */
export const createGuardedFetch = (issuer: URL, hosts: readonly string[]): CustomFetch =>
  async function fetchFromProvider(url, { method, headers, body, signal }) {
    const { protocol, host } = new URL(url);
    const isAllowed = protocol === issuer.protocol && (host === issuer.host || hosts.includes(host));
    if (!isAllowed) throw new Error(`${protocol}//${host} is not the issuer, nor one of OIDC_HOSTS.`);
    const init = { method, headers, redirect: 'manual', ...(signal === undefined ? {} : { signal }) } as const;
    return bounded(await fetch(url, body === undefined ? init : { ...init, body }), url);
  };
