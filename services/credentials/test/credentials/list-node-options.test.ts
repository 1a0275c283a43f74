import { uuidv7 } from '@weft/service-kit/ids';
import { startService, type TestService } from '../support/service-under-test';

const SLACK = { type: 'slackApi', dataJson: '{"accessToken":"xoxb-s3cret-word"}' };

describe('ListNodeOptions', () => {
  let service: TestService;
  const list = (credentialId: string, principal = service.owner) =>
    service.as('gateway').credentials.listNodeOptions(
      {
        type: 'n8n-nodes-base.slack',
        version: 2.3,
        list: 'channels',
        parametersJson: '{}',
        credentialId,
        search: 'ops',
        cursor: '',
      },
      { principal },
    );

  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.stop());

  it('lets a runner fetch the options with the data of the credential', async () => {
    const { id } = await service.addCredential(SLACK);
    const { optionsJson, nextCursor } = await list(id);
    expect([JSON.parse(optionsJson.toString()), nextCursor]).toEqual([[{ label: 'General', value: 'C1' }], 'more']);
    expect(service.runner.listed).toMatchObject([
      {
        type: 'n8n-nodes-base.slack',
        version: 2.3,
        list: 'channels',
        credentialType: 'slackApi',
        dataJson: SLACK.dataJson,
        search: 'ops',
        userId: service.owner.userId,
      },
    ]);
  });

  it('is recorded as a use before the data leaves, once an hour and without a secret', async () => {
    const { id } = await service.addCredential(SLACK);
    await list(id);
    await list(id);
    const records = await service.database.connection.collection('audit').find({ action: 'credential.use' }).toArray();
    expect(records).toMatchObject([{ actor: service.owner.userId, about: { credentialId: id } }]);
    expect(JSON.stringify([records, service.logs])).not.toContain('s3cret-word');
  });

  it('is refused to users who cannot use the credential, and to those who write no workflows', async () => {
    const { id } = await service.addCredential(SLACK);
    const editor = await service.addUser('editor');
    await expect(list(id, editor)).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_GRANTED' });
    await expect(list(id, await service.addUser('viewer'))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    const reader = { ...service.owner, scopes: ['workflows:read' as const] };
    await expect(list(id, reader)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    expect(service.runner.listed).toEqual([]);
    await service
      .as('gateway')
      .credentials.grantCredential({ credentialId: id, projectId: editor.userId }, { principal: service.owner });
    await expect(list(id, editor)).resolves.toMatchObject({ nextCursor: 'more' });
  });

  it('refuses only the 21st list of a user in a minute, and not those of others', async () => {
    const { id } = await service.addCredential(SLACK);
    // At the beginning of a minute, since lists are counted by minute.
    service.passTime(60_000 - (Date.now() % 60_000));
    for (let made = 0; made < 20; made += 1) await list(id);
    await expect(list(id)).rejects.toMatchObject({ reason: 'RATE_LIMIT_EXCEEDED' });
    await expect(list(id, await service.addUser('admin'))).resolves.toMatchObject({});
  });

  it('does not find a missing credential', async () => {
    await expect(list(uuidv7())).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_FOUND' });
  });
});
