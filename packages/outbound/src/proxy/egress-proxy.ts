/** The proxy through which everything leaves. */
export interface EgressProxy {
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
  /** Value of Proxy-Authorization, if the proxy has a user and a password. */
  readonly authorization: string | undefined;
}

/** The headers that prove to the proxy who asks; none if it does not ask. */
export function proxyHeaders({ authorization }: EgressProxy): Record<string, string> {
  return authorization === undefined ? {} : { 'proxy-authorization': authorization };
}

/**
 * Reads OUTBOUND_PROXY: `http://host:port`, or `http://user:password@host:port` with both percent-encoded.
 * @throws Error that says what is wrong, and does not repeat the password.
 */
export function parseProxy(text: string): EgressProxy {
  if (!URL.canParse(text))
    throw new Error('OUTBOUND_PROXY is not a URL. Write for example http://proxy.internal:3128.');
  const { protocol, hostname, port, username, password, pathname, search } = new URL(text);
  if (protocol !== 'http:')
    throw new Error(
      'OUTBOUND_PROXY must begin with http://. The requests inside the tunnel of an http proxy are encrypted anyway.',
    );
  if (pathname !== '/' || search !== '')
    throw new Error(
      'OUTBOUND_PROXY contains more than a host and a port. Write for example http://proxy.internal:3128.',
    );
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? 80 : Number(port),
    authorization: username === '' && password === '' ? undefined : `Basic ${Buffer.from(user).toString('base64')}`,
  };
}
