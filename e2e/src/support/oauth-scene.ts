import type { Stack } from '@weft/local-stack';
import { openCookieBrowser, type BrowserAnswer, type CookieBrowser } from './browser/cookie-browser';
import { dataOf, restClient, textOf, type Rest } from './rest';
import { until } from './until';
import { signInAtServer, startOAuthServer, type OAuthServer } from './stand-ins/oauth-server';
import { chain, node } from './workflows';

/** A credential for a real OAuth 2 server, a workflow that calls its API, and the owner's browser. */
export interface OAuthScene {
  readonly server: OAuthServer;
  readonly owner: Rest;
  readonly browser: CookieBrowser;
  readonly credentialId: string;
  readonly workflowId: string;
  /** A browser in which the owner is signed in to the console. */
  readonly openBrowser: () => Promise<CookieBrowser>;
  /** Begins a sign-in. @returns the page of the server */
  readonly begin: () => Promise<string>;
  /** Follows the server's redirect to its end, as the page of the console does. */
  readonly returnTo: (callback: string, by?: CookieBrowser) => Promise<BrowserAnswer>;
  /** Signs in at the server and returns. @throws Error if it is refused */
  readonly signIn: () => Promise<void>;
  /** The credential as shown by the API. */
  readonly credential: () => Promise<Readonly<Record<string, unknown>>>;
}

const NAME = 'a service';

/** A runner that another story has restarted may be healthy before credentials has connected to it again. */
const untilRunnerIsReached = async (owner: Rest): Promise<void> => {
  const probe = { name: 'probe', type: 'redis', data: { host: '127.0.0.1', port: 1, password: '' } };
  const id = textOf(await owner('POST', '/credentials', probe), 'id');
  await until('credentials reaches a runner', async () => {
    const { status } = await owner('POST', `/credentials/${id}/test`);
    return status === 200;
  });
  await owner('DELETE', `/credentials/${id}`);
};

/** Starts the server, and makes the credential and the workflow. No user has signed in yet. */
export const connectOAuth = async (stack: Stack): Promise<OAuthScene> => {
  const [base = ''] = stack.baseUrls;
  const owner = restClient(base, stack.apiKey);
  await untilRunnerIsReached(owner);
  const server = await startOAuthServer(`${base}/rest/oauth2-credential/callback`);
  const made = { name: NAME, type: 'oAuth2Api', data: server.credential };
  const credentialId = textOf(await owner('POST', '/credentials', made), 'id');
  const call = node(
    'Call',
    'httpRequest',
    4.2,
    200,
    { url: server.apiUrl, authentication: 'genericCredentialType', genericAuthType: 'oAuth2Api' },
    { credentials: { oAuth2Api: { id: credentialId, name: NAME } } },
  );
  const file = chain('calls a service', [node('Start', 'manualTrigger', 1, 0), call]);
  const workflowId = textOf(await owner('POST', '/workflows', file), 'id');

  const openBrowser = async (): Promise<CookieBrowser> => {
    const opened = openCookieBrowser({ 'x-weft-console': '1' });
    const person = { email: stack.ownerEmail, password: stack.ownerPassword };
    const { status, text } = await opened.send('POST', `${base}/console/api/session`, person);
    if (status !== 200) throw new Error(`The owner cannot sign in: ${status} ${text}`);
    return opened;
  };
  const browser = await openBrowser();
  const begin = async (): Promise<string> => {
    const { text } = await browser.send('POST', `${base}/console/api/v1/credentials/${credentialId}/oauth2/start`);
    const body: { readonly data?: { readonly url?: string } } = JSON.parse(text);
    if (body.data?.url === undefined) throw new Error(`The sign-in did not begin: ${text}`);
    return body.data.url;
  };
  const returnTo = async (callback: string, by = browser): Promise<BrowserAnswer> => {
    const { location = '' } = await by.send('GET', callback);
    if (!location.startsWith(`${base}/console/oauth2#`)) throw new Error(`The callback led to "${location}".`);
    const returned = Object.fromEntries(new URLSearchParams(new URL(location).hash.slice(1)));
    return by.send('POST', `${base}/console/api/oauth2`, returned);
  };
  return {
    server,
    owner,
    browser,
    credentialId,
    workflowId,
    openBrowser,
    begin,
    returnTo,
    signIn: async () => {
      const { status, text } = await returnTo(await signInAtServer(await begin(), 'ada'));
      if (status !== 200) throw new Error(`The sign-in was refused: ${status} ${text}`);
    },
    credential: async () => dataOf(await owner('GET', `/credentials/${credentialId}`)),
  };
};
