import { createHash } from 'node:crypto';
import { uuidv7 } from '@weft/service-kit/ids';
import { Unavailable } from '@weft/service-kit/errors';
import { issued, refused } from '../support/fake-runner';
import { grantRun } from '../support/run-with-claim';
import { startService, type Replica, type TestService } from '../support/service-under-test';

const HOUR_S = 3_600;
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** A service that rotates refresh tokens: each is valid once. */
const rotatingService = () => {
  let number = 1;
  return {
    get valid(): string {
      return `refresh-${number}`;
    },
    rotate: (): void => {
      number += 1;
    },
    answer: (given: string) => {
      if (given !== `refresh-${number}`) return refused('invalid_grant', 'The service said invalid_grant.');
      number += 1;
      return issued(`access-${number}`, { refreshToken: `refresh-${number}`, expiresInSeconds: HOUR_S });
    },
  };
};

describe('the tokens of a credential', () => {
  let service: TestService;
  let remote: ReturnType<typeof rotatingService>;

  const data = (over: object = {}) => ({
    grantType: 'authorizationCode',
    accessTokenUrl: 'https://service.example.test/token',
    clientId: 'the-client',
    clientSecret: 'the-client-secret',
    oauthTokenData: {
      access_token: 'access-1',
      refresh_token: 'refresh-1',
      issued_at: Math.floor(Date.now() / 1_000),
      expires_at: Math.floor(Date.now() / 1_000) + HOUR_S,
    },
    ...over,
  });
  const add = (over: object = {}) => service.addCredential({ type: 'oAuth2Api', dataJson: JSON.stringify(data(over)) });
  const use = async (credentialId: string, refusedTokenHash?: string, by: Replica = service): Promise<string> => {
    const run = grantRun(service, credentialId);
    const { dataJson } = await by.as('runner').credentials.useCredential({
      ...run,
      type: 'oAuth2Api',
      ...(refusedTokenHash === undefined ? {} : { refusedTokenHash }),
    });
    const { oauthTokenData }: { oauthTokenData: { access_token: string } } = JSON.parse(dataJson);
    return oauthTokenData.access_token;
  };
  const shown = async (credentialId: string) =>
    (await service.as('gateway').credentials.getCredential({ credentialId }, { principal: service.owner })).credential;
  const asked = (): string[] =>
    service.runner.tokenRequests.map(({ grant }) => (grant?.$case === 'refreshToken' ? grant.value : ''));

  beforeEach(async () => {
    service = await startService();
    remote = rotatingService();
    service.runner.answerTokens(({ grant }) => remote.answer(grant?.$case === 'refreshToken' ? grant.value : ''));
  });
  afterEach(() => service.stop());

  it('are used while they are valid', async () => {
    const { id } = await add();
    expect(await use(id)).toBe('access-1');
    service.passTime((HOUR_S - 62) * 1_000);
    expect(await use(id)).toBe('access-1');
    expect(asked()).toEqual([]);
  });

  it('are refreshed a minute before they expire, and again with the refresh token of the last response', async () => {
    const { id } = await add();
    service.passTime((HOUR_S - 59) * 1_000);
    expect(await use(id)).toBe('access-2');
    service.passTime(HOUR_S * 1_000);
    expect(await use(id)).toBe('access-3');
    expect(asked()).toEqual(['refresh-1', 'refresh-2']);
  });

  it('keep a refresh token that the service does not replace', async () => {
    service.runner.answerTokens(() => issued('access-n', { expiresInSeconds: 10 }));
    const { id } = await add();
    for (let round = 0; round < 2; round += 1) {
      service.passTime(HOUR_S * 1_000);
      await use(id);
    }
    expect(asked()).toEqual(['refresh-1', 'refresh-1']);
  });

  it('are refreshed when a service refuses them, but not when it also refuses the new ones', async () => {
    const { id } = await add();
    service.passTime(61_000);
    expect(await use(id, hashOf('access-1'))).toBe('access-2');
    // Another run whose request was refused with the old token.
    expect(await use(id, hashOf('access-1'))).toBe('access-2');
    expect(await use(id, hashOf('access-2'))).toBe('access-2');
    expect(asked()).toEqual(['refresh-1']);
  });

  it('are refreshed once for 60 runs at three replicas', async () => {
    const replicas = [service, await service.startReplica(), await service.startReplica()];
    const { id } = await add();
    service.passTime(HOUR_S * 1_000);
    service.runner.answerTokens(async ({ grant }) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      return remote.answer(grant?.$case === 'refreshToken' ? grant.value : '');
    });
    const runs = Array.from({ length: 60 }, (_, index) => use(id, undefined, replicas[index % 3]));
    expect(new Set(await Promise.all(runs))).toEqual(new Set(['access-2']));
    expect(asked()).toEqual(['refresh-1']);
  });

  it('survive an update, a grant and a rename at the same time as a refresh', async () => {
    const { id } = await add();
    const project = uuidv7();
    service.passTime(HOUR_S * 1_000);
    const gateway = service.as('gateway').credentials;
    service.runner.answerTokens(async ({ grant }) => {
      await gateway.updateCredential({ credentialId: id, name: 'renamed' }, { principal: service.owner });
      const { oauthTokenData: _kept, ...rest } = data({ scope: 'read' });
      await gateway.updateCredential(
        { credentialId: id, dataJson: JSON.stringify(rest) },
        { principal: service.owner },
      );
      return remote.answer(grant?.$case === 'refreshToken' ? grant.value : '');
    });
    expect(project).not.toBe('');
    expect(await use(id)).toBe('access-2');
    expect(await shown(id)).toMatchObject({ name: 'renamed', login: { needsLogin: false } });
    service.passTime(HOUR_S * 1_000);
    service.runner.answerTokens(({ grant }) => remote.answer(grant?.$case === 'refreshToken' ? grant.value : ''));
    expect(await use(id)).toBe('access-3');
  });

  it('do not change the etag of the credential', async () => {
    const { id } = await add();
    const before = await shown(id);
    service.passTime(HOUR_S * 1_000);
    await use(id);
    expect((await shown(id))?.etag).toBe(before?.etag);
  });

  it('end with the sign-in at the service: the credential needs another one, and nothing more is sent', async () => {
    const { id } = await add();
    service.passTime(HOUR_S * 1_000);
    remote.rotate();
    const needed = { reason: 'CREDENTIAL_NEEDS_LOGIN', message: expect.stringContaining('invalid_grant') };
    await expect(use(id)).rejects.toMatchObject(needed);
    await expect(use(id)).rejects.toMatchObject(needed);
    expect(asked()).toEqual(['refresh-1']);
    expect(await shown(id)).toMatchObject({ login: { needsLogin: true, message: expect.stringContaining('sign in') } });
    const records = await service.database.connection
      .collection('audit')
      .find({ action: 'credential.needs-login' })
      .toArray();
    expect(records).toMatchObject([{ actor: 'service:credentials', about: { credentialId: id, type: 'oAuth2Api' } }]);
  });

  it('are refreshed for lists of options, which get no more of the credential than runs', async () => {
    const { id } = await add();
    service.passTime(HOUR_S * 1_000);
    const list = () =>
      service.as('gateway').credentials.listNodeOptions(
        {
          type: 'n8n-nodes-base.slack',
          version: 2.3,
          list: 'channels',
          parametersJson: '{}',
          credentialId: id,
          search: '',
          cursor: '',
        },
        { principal: service.owner },
      );
    const records = () => service.database.connection.collection('audit').countDocuments({ action: 'credential.use' });
    let recordsBefore = 0;
    service.runner.answerTokens(async ({ grant }) => {
      recordsBefore = await records();
      return remote.answer(grant?.$case === 'refreshToken' ? grant.value : '');
    });
    await list();
    // The use is recorded before its effect on the credential.
    expect(recordsBefore).toBe(1);
    const [listed] = service.runner.listed;
    expect(listed?.dataJson).toContain('access-2');
    expect(listed?.dataJson).not.toMatch(/refresh-\d|the-client-secret/);
    service.passTime(HOUR_S * 1_000);
    remote.rotate();
    await expect(list()).rejects.toMatchObject({ reason: 'CREDENTIAL_NEEDS_LOGIN' });
  });

  it('say that a response was lost if a runner stopped after the service had replaced the refresh token', async () => {
    const { id } = await add();
    service.passTime(HOUR_S * 1_000);
    let calls = 0;
    service.runner.answerTokens(({ grant }) => {
      calls += 1;
      const answer = remote.answer(grant?.$case === 'refreshToken' ? grant.value : '');
      if (calls === 1) throw new Unavailable('The runner stops.');
      return answer;
    });
    await expect(use(id)).rejects.toMatchObject({
      reason: 'CREDENTIAL_NEEDS_LOGIN',
      message: expect.stringContaining('interrupted'),
    });
    expect(asked()).toEqual(['refresh-1', 'refresh-1']);
  });

  it('are refreshed by another runner if one stopped before it asked', async () => {
    const { id } = await add();
    service.passTime(HOUR_S * 1_000);
    let calls = 0;
    service.runner.answerTokens(({ grant }) => {
      calls += 1;
      if (calls === 1) throw new Unavailable('The runner stops.');
      return remote.answer(grant?.$case === 'refreshToken' ? grant.value : '');
    });
    expect(await use(id)).toBe('access-2');
  });

  it('say that a response was lost if a replica stopped while it held the lease', async () => {
    const { id } = await add();
    service.passTime(HOUR_S * 1_000);
    const now = Date.now() + HOUR_S * 1_000;
    await service.database.connection.collection<{ _id: string }>('credentials').updateOne(
      { _id: id },
      {
        $set: {
          oauth2: {
            ...{ login: 'signedIn', message: '', refreshes: 1 },
            lease: { id: 'of-a-dead-replica', until: new Date(now - 1), tokenHash: hashOf('refresh-1') },
          },
        },
      },
    );
    remote.rotate();
    await expect(use(id)).rejects.toMatchObject({ message: expect.stringContaining('interrupted') });
  });

  it('fail a run, and stay, while the token endpoint refuses for another reason or does not answer', async () => {
    const { id } = await add();
    service.passTime(HOUR_S * 1_000);
    service.runner.answerTokens(() => refused('invalid_client', 'The client is unknown.'));
    await expect(use(id)).rejects.toMatchObject({
      reason: 'TOKEN_REFRESH_FAILED',
      message: expect.stringContaining('The client is unknown.'),
    });
    service.runner.answerTokens(() => ({ outcome: { $case: 'unanswered', value: 'It did not answer within 10 s.' } }));
    await expect(use(id)).rejects.toMatchObject({ message: expect.stringContaining('did not answer') });
    expect(await shown(id)).toMatchObject({ login: { needsLogin: false } });
    service.runner.answerTokens(({ grant }) => remote.answer(grant?.$case === 'refreshToken' ? grant.value : ''));
    expect(await use(id)).toBe('access-2');
  });

  it('are used for their last minute while the token endpoint is away', async () => {
    const { id } = await add();
    service.passTime((HOUR_S - 30) * 1_000);
    service.runner.answerTokens(() => ({ outcome: { $case: 'unanswered', value: 'It did not answer within 10 s.' } }));
    expect(await use(id)).toBe('access-1');
  });
});
