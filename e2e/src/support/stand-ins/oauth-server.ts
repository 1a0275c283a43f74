import { freePort, waitUntil } from '@weft/local-stack';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { openCookieBrowser } from '../browser/cookie-browser';

/** Numbers of requests for tokens, by their outcome. */
export interface TokenCounts {
  /** Codes that it exchanged. */
  readonly codes: number;
  /** Refresh tokens that it replaced. */
  readonly refreshes: number;
  /** Requests that it refused. */
  readonly refused: number;
}

/** A real OAuth 2 server in a separate process, which rotates refresh tokens. Its API returns the login of a person. */
export interface OAuthServer {
  readonly url: string;
  /** An address that responds only to a valid access token. */
  readonly apiUrl: string;
  /** Data of a credential of type oAuth2Api for it. */
  readonly credential: Readonly<Record<string, unknown>>;
  readonly counts: () => Promise<TokenCounts>;
  /** Life of the access tokens that it issues from now on, in seconds. */
  readonly setLife: (seconds: number) => Promise<void>;
  /** Withdraws all sign-ins. */
  readonly revoke: () => Promise<void>;
  /** Holds the responses to requests for tokens, which it has issued then. */
  readonly hold: () => Promise<void>;
  readonly release: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const CLIENT = { id: 'weft', secret: 'the secret of the client' };

/** Starts the server. @param redirectUri to which it sends browsers back */
export const startOAuthServer = async (redirectUri: string): Promise<OAuthServer> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const main = join(__dirname, 'oauth-server-main.js');
  const args = [main, String(port), CLIENT.id, CLIENT.secret, redirectUri];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const control = async (command: string, value = ''): Promise<TokenCounts> => {
    const counts: TokenCounts = JSON.parse(await (await fetch(`${url}/control/${command}?value=${value}`)).text());
    return counts;
  };
  const answers = (): Promise<boolean> =>
    control('counts').then(
      () => true,
      () => false,
    );
  if ((await waitUntil(answers, { limitMs: 60_000 })) !== true) throw new Error('The OAuth server did not start.');
  return {
    url,
    apiUrl: `${url}/me`,
    credential: {
      grantType: 'pkce',
      authUrl: `${url}/auth`,
      accessTokenUrl: `${url}/token`,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      scope: 'openid offline_access',
      authQueryParameters: 'prompt=consent',
      authentication: 'header',
    },
    counts: () => control('counts'),
    setLife: async (seconds) => void (await control('ttl', String(seconds))),
    revoke: async () => void (await control('revoke')),
    hold: async () => void (await control('hold')),
    release: async () => void (await control('release')),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
};

/**
 * Signs in on the server's pages, as a person would in a new browser, and consents.
 * @returns the address to which the server leads the browser back
 */
export const signInAtServer = async (url: string, login: string): Promise<string> => {
  const browser = openCookieBrowser();
  let answer = await browser.send('GET', url);
  for (const form of [{ prompt: 'login', login, password: 'any password' }, { prompt: 'consent' }])
    answer = await browser.send('POST', answer.url, new URLSearchParams(form));
  if (answer.location === undefined) throw new Error(`The server led nowhere: ${answer.status} ${answer.text}`);
  return answer.location;
};
