/** A form, or JSON. */
type Body = URLSearchParams | Readonly<Record<string, unknown>>;

/** A browser without a screen: it keeps cookies by host and path, and follows redirects within a host. */
export interface CookieBrowser {
  /** Sends a request and returns the response of the last redirect that stays on the host. */
  readonly send: (method: string, url: string, body?: Body) => Promise<BrowserAnswer>;
  /** A copy that has the same cookies from here on. */
  readonly copy: () => CookieBrowser;
}

/** A response, or a redirect to another host. */
export interface BrowserAnswer {
  readonly status: number;
  /** The address that responded. */
  readonly url: string;
  readonly text: string;
  /** Where a redirect to another host leads. */
  readonly location: string | undefined;
}

interface Cookie {
  readonly host: string;
  readonly path: string;
  readonly name: string;
  readonly value: string;
}

const MAX_REDIRECTS = 10;

const cookieOf = (line: string, { host }: URL): Cookie & { readonly isEnded: boolean } => {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const at = pair.indexOf('=');
  const attribute = (name: string): string | undefined =>
    attributes.find((one) => one.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
  const isEnded = attribute('max-age') === '0' || Date.parse(attribute('expires') ?? '') < Date.now();
  return { host, path: attribute('path') ?? '/', name: pair.slice(0, at), value: pair.slice(at + 1), isEnded };
};

/** Opens a browser. @param headers sent with every request */
export const openCookieBrowser = (
  headers: Readonly<Record<string, string>> = {},
  cookies: readonly Cookie[] = [],
): CookieBrowser => {
  let jar = [...cookies];
  const keep = (response: Response, url: URL): void => {
    for (const line of response.headers.getSetCookie()) {
      const { isEnded, ...cookie } = cookieOf(line, url);
      jar = jar.filter(({ host, path, name }) => host !== cookie.host || path !== cookie.path || name !== cookie.name);
      if (!isEnded) jar.push(cookie);
    }
  };
  const send: CookieBrowser['send'] = async (method, address, body) => {
    let [url, way]: [URL, string] = [new URL(address), method];
    let sent = body;
    for (let hop = 0; hop < MAX_REDIRECTS; hop += 1) {
      const { host, pathname } = url;
      const own = jar.filter((one) => one.host === host && pathname.startsWith(one.path));
      const response = await fetch(url, {
        method: way,
        redirect: 'manual',
        headers: {
          ...headers,
          ...(own.length === 0 ? {} : { cookie: own.map(({ name, value }) => `${name}=${value}`).join('; ') }),
          ...(sent === undefined || sent instanceof URLSearchParams ? {} : { 'content-type': 'application/json' }),
        },
        ...(sent === undefined ? {} : { body: sent instanceof URLSearchParams ? sent : JSON.stringify(sent) }),
      });
      keep(response, url);
      const target = response.headers.get('location');
      const text = await response.text();
      if (target === null || response.status < 300 || response.status > 399)
        return { status: response.status, url: url.href, text, location: undefined };
      const next = new URL(target, url);
      if (next.host !== host || next.hash !== '')
        return { status: response.status, url: url.href, text, location: next.href };
      [url, way] = [next, 'GET'];
      sent = undefined;
    }
    throw new Error(`More than ${MAX_REDIRECTS} redirects from ${address}.`);
  };
  return { send, copy: () => openCookieBrowser(headers, jar) };
};
