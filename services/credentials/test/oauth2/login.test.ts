import { createHash } from 'node:crypto';
import type { Principal } from '@weft/service-kit/auth';
import { uuidv7 } from '@weft/service-kit/ids';
import { issued, refused } from '../support/fake-runner';
import { readData } from '../support/run-with-claim';
import { newMasterKey, OWNER, PASSWORD, startService, type TestService } from '../support/service-under-test';

const DATA = {
  grantType: 'authorizationCode',
  authUrl: 'https://service.example.test/authorize?tenant=7',
  accessTokenUrl: 'https://service.example.test/token',
  clientId: 'the-client',
  clientSecret: 'the-client-secret',
  scope: 'read write',
  authQueryParameters: 'prompt=consent&state=mine&redirect_uri=https://evil.example.test',
};
const REDIRECT = 'https://weft.example.test/rest/oauth2-credential/callback';

describe('signing in with a credential', () => {
  let service: TestService;
  let sessionToken: string;

  const signIn = async (email: string = OWNER.email, password: string = OWNER.password): Promise<string> =>
    (await service.as('gateway').sessions.signIn({ email, password, clientAddress: '' })).sessionToken;
  const add = (over: object = {}, type = 'oAuth2Api') =>
    service.addCredential({ type, dataJson: JSON.stringify({ ...DATA, ...over }) });
  const start = (credentialId: string, principal: Principal = service.owner, token = sessionToken) =>
    service
      .as('gateway')
      .credentials.startLogin({ credentialId, sessionToken: token, redirectUri: REDIRECT }, { principal });
  const begin = async (credentialId: string) => {
    const { url, attempt } = await start(credentialId);
    return { attempt, state: new URL(url).searchParams.get('state') ?? '' };
  };
  const finish = (
    returned: { attempt: string; state: string; code?: string; error?: string; sessionToken?: string },
    principal: Principal = service.owner,
  ) =>
    service
      .as('gateway')
      .credentials.finishLogin({ code: 'the-code', error: '', sessionToken, ...returned }, { principal });
  const invalid = { reason: 'LOGIN_ATTEMPT_INVALID' };

  beforeEach(async () => {
    service = await startService();
    sessionToken = await signIn();
    service.runner.answerTokens(() => issued('an-access-token', { refreshToken: 'a-refresh-token' }));
  });
  afterEach(() => service.stop());

  it('leads to the page of the service with PKCE, whatever parameters the credential adds', async () => {
    const { url, attempt } = await start((await add()).id);
    const page = new URL(url);
    expect(page.origin + page.pathname).toBe('https://service.example.test/authorize');
    const { state, code_challenge, ...rest } = Object.fromEntries(page.searchParams);
    expect(rest).toEqual({
      tenant: '7',
      prompt: 'consent',
      response_type: 'code',
      client_id: 'the-client',
      redirect_uri: REDIRECT,
      scope: 'read write',
      code_challenge_method: 'S256',
    });
    expect(state).toMatch(/^[\w-]{43}$/);
    expect(code_challenge).toMatch(/^[\w-]{43}$/);
    // The cookie shows neither the state nor the verifier.
    expect(Buffer.from(attempt, 'base64url').toString('latin1')).not.toContain(state);
  });

  it('asks Slack for the scopes of a user, separated by commas and without PKCE', async () => {
    const { id } = await add(
      { scope: 'chat:write users:read', authUrl: undefined, accessTokenUrl: undefined },
      'slackOAuth2Api',
    );
    const page = new URL((await start(id)).url);
    expect(page.host).toBe('slack.com');
    expect(page.searchParams.get('user_scope')).toBe('chat:write,users:read');
    expect([page.searchParams.has('scope'), page.searchParams.has('code_challenge')]).toEqual([false, false]);
  });

  it('lets a runner exchange the code, stores the tokens sealed, and shows them to runs only', async () => {
    const { id } = await add();
    const { url, attempt } = await start(id);
    const query = new URL(url).searchParams;
    const { credential } = await finish({ attempt, state: query.get('state') ?? '' });
    expect(credential).toMatchObject({ id, login: { needsLogin: false, message: '' } });
    const [asked] = service.runner.tokenRequests;
    const grant = asked?.grant?.$case === 'authorizationCode' ? asked.grant.value : undefined;
    expect(grant).toMatchObject({ code: 'the-code', redirectUri: REDIRECT });
    expect(
      createHash('sha256')
        .update(grant?.verifier ?? '')
        .digest('base64url'),
    ).toBe(query.get('code_challenge'));
    expect(await readData(service, id, 'oAuth2Api')).toMatchObject({
      clientId: 'the-client',
      oauthTokenData: { access_token: 'an-access-token' },
    });
    const stored = await service.database.connection.collection('credentials').find().toArray();
    expect(JSON.stringify([stored, service.logs])).not.toMatch(/an-access-token|a-refresh-token|the-client-secret/);
  });

  it('gives a run neither the refresh token nor the secret of the client', async () => {
    const { id } = await add();
    await finish(await begin(id));
    expect(JSON.stringify(await readData(service, id, 'oAuth2Api'))).not.toMatch(/a-refresh-token|the-client-secret/);
  });

  it('is recorded', async () => {
    const { id } = await add();
    await finish(await begin(id));
    const records = await service.database.connection
      .collection('audit')
      .find({ action: 'credential.sign-in' })
      .toArray();
    expect(records).toMatchObject([{ actor: service.owner.userId, about: { credentialId: id, type: 'oAuth2Api' } }]);
  });

  it('is completed once, even by two callbacks at the same time and after a failed exchange', async () => {
    const { id } = await add();
    const attempt = await begin(id);
    const outcomes = await Promise.allSettled([finish(attempt), finish(attempt)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(finish(attempt)).rejects.toMatchObject(invalid);
    service.runner.answerTokens(() => refused('invalid_client', 'The token endpoint refused the client.'));
    const second = await begin(id);
    await expect(finish(second)).rejects.toMatchObject({
      reason: 'LOGIN_REFUSED',
      message: 'The token endpoint refused the client.',
    });
    await expect(finish(second)).rejects.toMatchObject(invalid);
  });

  it('is refused with another state, in another session, to another user, and after 10 minutes', async () => {
    const { id } = await add();
    const admin = await service.addUser('admin');
    const attempt = await begin(id);
    await expect(finish({ ...attempt, state: 'x'.repeat(43) })).rejects.toMatchObject(invalid);
    await expect(finish({ ...attempt, sessionToken: await signIn() })).rejects.toMatchObject(invalid);
    await expect(finish({ ...attempt, sessionToken: '' })).rejects.toMatchObject(invalid);
    await expect(
      finish({ ...attempt, sessionToken: await signIn(admin.email, PASSWORD) }, admin),
    ).rejects.toMatchObject(invalid);
    await expect(finish({ ...attempt, attempt: '' })).rejects.toMatchObject(invalid);
    const other = attempt.attempt[40] === 'A' ? 'B' : 'A';
    const flipped = `${attempt.attempt.slice(0, 40)}${other}${attempt.attempt.slice(41)}`;
    await expect(finish({ ...attempt, attempt: flipped })).rejects.toMatchObject(invalid);
    service.passTime(600_001);
    await expect(finish(attempt)).rejects.toMatchObject(invalid);
    expect(service.runner.tokenRequests).toEqual([]);
  });

  it('survives a rotation of the master key', async () => {
    const [old, next] = [newMasterKey('old'), newMasterKey('next')];
    const before = await service.startReplica({ MASTER_KEY: old, MASTER_KEY_PREVIOUS: '' });
    const { credential } = await before
      .as('gateway')
      .credentials.createCredential(
        { name: 'c', type: 'oAuth2Api', dataJson: JSON.stringify(DATA) },
        { principal: service.owner },
      );
    const { url, attempt } = await before
      .as('gateway')
      .credentials.startLogin(
        { credentialId: credential?.id ?? '', sessionToken, redirectUri: REDIRECT },
        { principal: service.owner },
      );
    const after = await service.startReplica({ MASTER_KEY: next, MASTER_KEY_PREVIOUS: old });
    const state = new URL(url).searchParams.get('state') ?? '';
    await expect(
      after
        .as('gateway')
        .credentials.finishLogin({ attempt, state, code: 'c', error: '', sessionToken }, { principal: service.owner }),
    ).resolves.toMatchObject({ credential: { login: { needsLogin: false } } });
  });

  it('says that the user declined, and hides what a forged callback says', async () => {
    const { id } = await add();
    await expect(finish({ ...(await begin(id)), code: '', error: 'access_denied' })).rejects.toMatchObject({
      reason: 'LOGIN_REFUSED',
      message: expect.stringContaining('declined'),
    });
    await expect(finish({ ...(await begin(id)), code: '', error: '<b>call 0900</b>' })).rejects.toMatchObject({
      message: 'The service did not complete the sign-in: an unknown error.',
    });
  });

  it.each<[string, object, string, RegExp]>([
    ['another type', {}, 'httpBearerAuth', /do not sign in/],
    ['client credentials', { grantType: 'clientCredentials' }, 'oAuth2Api', /needs no sign-in/],
    ['a page that is a script', { authUrl: 'javascript:alert(1)' }, 'oAuth2Api', /authUrl/],
    ['no page', { authUrl: '' }, 'oAuth2Api', /authUrl/],
    ['no token endpoint', { accessTokenUrl: '' }, 'oAuth2Api', /accessTokenUrl/],
    ['no client', { clientId: '' }, 'oAuth2Api', /client ID/],
  ])('is refused for a credential with %s', async (_what, over, type, message) => {
    const { id } = await service.addCredential({ type, dataJson: JSON.stringify({ ...DATA, token: 't', ...over }) });
    await expect(start(id)).rejects.toMatchObject({
      reason: 'LOGIN_NOT_POSSIBLE',
      message: expect.stringMatching(message),
    });
  });

  it('is refused to editors, to read-only keys, and beyond 20 a minute', async () => {
    const { id } = await add();
    await expect(start(id, await service.addUser('editor'))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    const reader = { ...service.owner, scopes: ['credentials:read' as const] };
    await expect(start(id, reader)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(start(uuidv7())).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_FOUND' });
    // At the beginning of a minute, since attempts are counted by minute.
    service.passTime(60_000 - (Date.now() % 60_000));
    for (let made = 0; made < 20; made += 1) await start(id);
    await expect(start(id)).rejects.toMatchObject({ reason: 'RATE_LIMIT_EXCEEDED' });
  });
});

describe('the state of a sign-in', () => {
  let service: TestService;
  const tokens = { access_token: 'an-access-token', refresh_token: 'a-refresh-token' };

  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.stop());

  const update = async (credentialId: string, data: object, principal = service.owner) =>
    (
      await service
        .as('gateway')
        .credentials.updateCredential({ credentialId, dataJson: JSON.stringify(data) }, { principal })
    ).credential;

  it('is missing at first, unless the data has tokens of another system', async () => {
    const bare = await service.addCredential({ type: 'oAuth2Api', dataJson: JSON.stringify(DATA) });
    expect(bare.login).toEqual({ needsLogin: true, message: 'No user has signed in with it yet.' });
    const filled = await service.addCredential({
      type: 'googleSheetsOAuth2Api',
      dataJson: JSON.stringify({ oauthTokenData: tokens }),
    });
    expect(filled.login).toMatchObject({ needsLogin: false });
    const other = await service.addCredential({ dataJson: '{"token":"t"}' });
    expect(other.login).toBeUndefined();
  });

  it('is kept by an update that leaves the tokens out, and lost with another type', async () => {
    const { id } = await service.addCredential({
      type: 'oAuth2Api',
      dataJson: JSON.stringify({ ...DATA, oauthTokenData: tokens }),
    });
    expect((await update(id, { ...DATA, scope: 'read' }))?.login).toMatchObject({ needsLogin: false });
    expect(await readData(service, id, 'oAuth2Api')).toMatchObject({
      scope: 'read',
      oauthTokenData: { access_token: 'an-access-token' },
    });
    const { credential } = await service
      .as('gateway')
      .credentials.updateCredential(
        { credentialId: id, type: 'slackOAuth2Api', dataJson: '{"clientId":"c"}' },
        { principal: service.owner },
      );
    expect(credential?.login).toMatchObject({ needsLogin: true });
  });
});
