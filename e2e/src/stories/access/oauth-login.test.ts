import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { openCookieBrowser, type BrowserAnswer, type CookieBrowser } from '../../support/browser/cookie-browser';
import { dataOf, restClient, textOf, type Rest } from '../../support/rest';
import { signInAtServer, startOAuthServer, type OAuthServer } from '../../support/stand-ins/oauth-server';
import { chain, node } from '../../support/workflows';

const RUNS = 20;

// A user signs in at a real OAuth 2 server with a credential, and workflows use it.
describe('a credential that signs in through a browser', () => {
  let stack: Stack;
  let owner: Rest;
  let server: OAuthServer;
  let browser: CookieBrowser;
  let [credentialId, workflowId] = ['', ''];

  const base = (): string => stack.baseUrls[0] ?? '';
  const openBrowser = async (): Promise<CookieBrowser> => {
    const opened = openCookieBrowser({ 'x-weft-console': '1' });
    const person = { email: stack.ownerEmail, password: stack.ownerPassword };
    expect((await opened.send('POST', `${base()}/console/api/session`, person)).status).toBe(200);
    return opened;
  };
  const begin = async (id = credentialId, by = browser): Promise<string> => {
    const started = await by.send('POST', `${base()}/console/api/v1/credentials/${id}/oauth2/start`, {});
    const body: { readonly data?: { readonly url?: string } } = JSON.parse(started.text);
    return body.data?.url ?? `no url: ${started.text}`;
  };
  /** What the page of the console sends after the service has led the browser back. */
  const returnTo = async (callback: string, by = browser): Promise<BrowserAnswer> => {
    const { location = '' } = await by.send('GET', callback);
    expect(new URL(location).pathname).toBe('/console/oauth2');
    const returned = Object.fromEntries(new URLSearchParams(new URL(location).hash.slice(1)));
    return by.send('POST', `${base()}/console/api/oauth2`, returned);
  };
  const signIn = async (): Promise<void> => {
    const answer = await returnTo(await signInAtServer(await begin(), 'ada'));
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining(credentialId)]);
  };
  const credential = async () => dataOf(await owner('GET', `/credentials/${credentialId}`));
  /** Runs the workflow, which calls the API of the server. @returns the whole execution as text */
  const run = async (): Promise<string> => {
    const { status, json, text } = await owner('POST', `/workflows/${workflowId}/execute`, { wait: true });
    const id = status === 200 ? textOf({ status, json, text, headers: new Headers() }, 'executionId') : text;
    return (await owner('GET', `/executions/${id}`)).text;
  };

  beforeAll(async () => {
    stack = await borrowStack();
    owner = restClient(base(), stack.apiKey);
    server = await startOAuthServer(`${base()}/rest/oauth2-credential/callback`);
    browser = await openBrowser();
    const made = { name: 'a service', type: 'oAuth2Api', data: server.credential };
    credentialId = textOf(await owner('POST', '/credentials', made), 'id');
    const call = node(
      'Call',
      'httpRequest',
      4.2,
      200,
      { url: server.apiUrl, authentication: 'genericCredentialType', genericAuthType: 'oAuth2Api' },
      { credentials: { oAuth2Api: { id: credentialId, name: 'a service' } } },
    );
    workflowId = textOf(await owner('POST', '/workflows', chain('calls', [node('Start', 'manualTrigger', 1, 0), call])), 'id');
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await server?.stop();
  });

  it('needs a sign-in first, and says so', async () => {
    expect(await credential()).toMatchObject({ login: 'needsLogin', loginMessage: expect.any(String) });
    expect(await run()).toContain('needs a user to sign in');
    expect(await server.counts()).toMatchObject({ codes: 0, refreshes: 0 });
  });

  it('is refused to a caller without a browser session', async () => {
    const refused = await owner('POST', `/credentials/${credentialId}/oauth2/start`);
    expect(refused).toMatchObject({ status: 409, json: { error: { details: { reason: 'SESSION_REQUIRED' } } } });
  });

  it('refuses a callback in another browser, with another state, and a replayed one', async () => {
    const callback = await signInAtServer(await begin(), 'ada');
    const forged = new URL(callback);
    forged.searchParams.set('state', 'x'.repeat(43));
    const refused = { status: 409, text: expect.stringContaining('LOGIN_ATTEMPT_INVALID') };
    expect(await returnTo(callback, await openBrowser())).toMatchObject(refused);
    expect(await returnTo(forged.href)).toMatchObject(refused);
    const before = browser.copy();
    expect(await returnTo(callback)).toMatchObject({ status: 200 });
    expect(await returnTo(callback, before)).toMatchObject(refused);
    expect(await returnTo(callback)).toMatchObject(refused);
    expect(await server.counts()).toMatchObject({ codes: 1, refused: 0 });
  });

  it('is used by runs, which never show its tokens', async () => {
    expect(await credential()).toMatchObject({ login: 'signedIn' });
    const shown = await run();
    expect(shown).toContain('"status":"success"');
    expect(shown).toContain('ada');
  });

  it('is refreshed once for many runs when its token expires, and its etag stays', async () => {
    await server.setLife(2);
    await signIn();
    await server.setLife(3_600);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    const [{ refreshes }, tag] = [await server.counts(), (await owner('GET', `/credentials/${credentialId}`)).headers.get('etag')];
    const outcomes = await Promise.all(Array.from({ length: RUNS }, () => run()));
    expect(outcomes.filter((text) => text.includes('"status":"success"'))).toHaveLength(RUNS);
    expect(await server.counts()).toMatchObject({ refreshes: refreshes + 1, refused: 0 });
    expect((await owner('GET', `/credentials/${credentialId}`)).headers.get('etag')).toBe(tag);
  });

  it('needs a sign-in again once the service has withdrawn the last one', async () => {
    await server.setLife(2);
    await signIn();
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    await server.revoke();
    expect(await run()).toContain('invalid_grant');
    expect(await credential()).toMatchObject({ login: 'needsLogin', loginMessage: expect.stringContaining('invalid_grant') });
    const { refused } = await server.counts();
    expect(await run()).toContain('needs a user to sign in');
    // Nothing more is sent until then.
    expect(await server.counts()).toMatchObject({ refused });
    const audit = await owner('GET', `/audit?action=credential.needs-login`);
    expect(audit.text).toContain(credentialId);
    await server.setLife(3_600);
    await signIn();
    expect(await run()).toContain('"status":"success"');
  });
});
