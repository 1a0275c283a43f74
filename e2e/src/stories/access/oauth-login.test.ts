import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { connectOAuth, type OAuthScene } from '../../support/oauth-scene';
import { textOf } from '../../support/rest';
import { signInAtServer } from '../../support/stand-ins/oauth-server';

const RUNS = 20;
/** Life of a token that is refreshed after half of it. */
const SHORT_LIFE_S = 4;

// A user signs in at a real OAuth 2 server with a credential, and workflows use it.
describe('a credential that signs in through a browser', () => {
  let stack: Stack;
  let scene: OAuthScene;

  /** Runs the workflow, which calls the API of the server. @returns the whole execution as text */
  const run = async (): Promise<string> => {
    const started = await scene.owner('POST', `/workflows/${scene.workflowId}/execute`, { wait: true });
    return (await scene.owner('GET', `/executions/${textOf(started, 'executionId')}`)).text;
  };
  const etag = async () => (await scene.owner('GET', `/credentials/${scene.credentialId}`)).headers.get('etag');
  /** Signs in, and waits until the token is to be refreshed; later ones live long. */
  const signInForShort = async (): Promise<void> => {
    await scene.server.setLife(SHORT_LIFE_S);
    await scene.signIn();
    await scene.server.setLife(3_600);
    await new Promise((resolve) => setTimeout(resolve, (SHORT_LIFE_S * 1_000) / 2 + 100));
  };

  beforeAll(async () => {
    stack = await borrowStack();
    scene = await connectOAuth(stack);
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await scene?.server.stop();
  });

  it('needs a sign-in first, and says so', async () => {
    expect(await scene.credential()).toMatchObject({ login: 'needsLogin', loginMessage: expect.any(String) });
    expect(await run()).toContain('needs a user to sign in');
    expect(await scene.server.counts()).toMatchObject({ codes: 0, refreshes: 0 });
  });

  it('is refused to a caller without a browser session', async () => {
    const refused = await scene.owner('POST', `/credentials/${scene.credentialId}/oauth2/start`);
    expect(refused).toMatchObject({ status: 409, json: { error: { details: { reason: 'SESSION_REQUIRED' } } } });
  });

  it('refuses a callback in another browser, with another state, and a replayed one', async () => {
    const { browser, returnTo, server } = scene;
    const callback = await signInAtServer(await scene.begin(), 'ada');
    const forged = new URL(callback);
    forged.searchParams.set('state', 'x'.repeat(43));
    const refused = { status: 409, text: expect.stringContaining('LOGIN_ATTEMPT_INVALID') };
    expect(await returnTo(callback, await scene.openBrowser())).toMatchObject(refused);
    expect(await returnTo(forged.href)).toMatchObject(refused);
    const before = browser.copy();
    expect(await returnTo(callback)).toMatchObject({ status: 200 });
    expect(await returnTo(callback, before)).toMatchObject(refused);
    expect(await returnTo(callback)).toMatchObject(refused);
    expect(await server.counts()).toMatchObject({ codes: 1, refused: 0 });
  });

  it('is used by runs', async () => {
    expect(await scene.credential()).toMatchObject({ login: 'signedIn' });
    const shown = await run();
    expect(shown).toContain('"status":"success"');
    expect(shown).toContain('ada');
  });

  it('is refreshed once for many runs when its token expires, and its etag stays', async () => {
    await signInForShort();
    const [{ refreshes }, tag] = [await scene.server.counts(), await etag()];
    const outcomes = await Promise.all(Array.from({ length: RUNS }, run));
    expect(outcomes.filter((text) => text.includes('"status":"success"'))).toHaveLength(RUNS);
    expect(await scene.server.counts()).toMatchObject({ refreshes: refreshes + 1, refused: 0 });
    expect(await etag()).toBe(tag);
  });

  it('needs a sign-in again once the service has withdrawn the last one', async () => {
    await signInForShort();
    await scene.server.revoke();
    expect(await run()).toContain('invalid_grant');
    expect(await scene.credential()).toMatchObject({
      login: 'needsLogin',
      loginMessage: expect.stringContaining('invalid_grant'),
    });
    const { refused } = await scene.server.counts();
    expect(await run()).toContain('needs a user to sign in');
    // Nothing more is sent until then.
    expect(await scene.server.counts()).toMatchObject({ refused });
    expect((await scene.owner('GET', '/audit?action=credential.needs-login')).text).toContain(scene.credentialId);
    await scene.signIn();
    expect(await run()).toContain('"status":"success"');
  });
});
