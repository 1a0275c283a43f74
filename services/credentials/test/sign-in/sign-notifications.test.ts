import { uuidv7 } from '@weft/service-kit/ids';
import { Webhook } from 'standardwebhooks';
import { startService, type TestService } from '../support/service-under-test';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OLD = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

describe('SignNotifications', () => {
  let service: TestService;
  const add = (data: object = {}) =>
    service.addCredential({
      type: 'webhookSignature',
      dataJson: JSON.stringify({ scheme: 'standard', secret: SECRET, ...data }),
    });
  const now = Math.floor(Date.now() / 1_000);
  const message = (id: string, body = '{"a":1}') => ({ id, timestamp: now, body: Buffer.from(body) });
  const sign = async (credentialId: string, messages = [message('m')], ownerId = service.owner.userId) => {
    const request = { credentialId, ownerId, subscriptionId: 'subscription', messages };
    return (await service.as('executions').credentials.signNotifications(request)).signatures;
  };
  const headersOf = (id: string, signature = '') => ({
    'webhook-id': id,
    'webhook-timestamp': String(now),
    'webhook-signature': signature,
  });

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('signs each message so that a receiver of Standard Webhooks verifies it, and no other message', async () => {
    const { id } = await add();
    const [first, second] = await sign(id, [message('m1'), message('m2', '{"b":"\u00fc"}')]);
    const receiver = new Webhook(SECRET);
    expect(receiver.verify('{"a":1}', headersOf('m1', first))).toEqual({ a: 1 });
    expect(receiver.verify('{"b":"\u00fc"}', headersOf('m2', second))).toEqual({ b: '\u00fc' });
    expect(() => receiver.verify('{"a":2}', headersOf('m1', first))).toThrow();
    expect(() => receiver.verify('{"a":1}', headersOf('m2', first))).toThrow();
  });

  it('signs with both secrets during a rotation', async () => {
    const { id } = await add({ previousSecret: OLD });
    const [signature] = await sign(id);
    for (const secret of [SECRET, OLD])
      expect(new Webhook(secret).verify('{"a":1}', headersOf('m', signature))).toEqual({ a: 1 });
  });

  it('signs with a credential that was granted to the owner of the subscription, and with no other', async () => {
    const { id } = await add();
    const editor = await service.addUser('editor');
    await expect(sign(id, [], editor.userId)).rejects.toMatchObject({
      reason: 'CREDENTIAL_NOT_GRANTED',
      message: expect.stringContaining('the owner of the event subscription'),
    });
    const options = { principal: service.owner };
    const { project } = await service.as('gateway').projects.createProject({ name: 'P', closed: false }, options);
    const projectId = project?.id ?? '';
    await expect(sign(id, [], projectId)).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_GRANTED' });
    await service.as('gateway').credentials.grantCredential({ credentialId: id, projectId }, options);
    expect(await sign(id, [message('m')], projectId)).toHaveLength(1);
  });

  it('refuses credentials that cannot sign, naming what is needed', async () => {
    await expect(sign(uuidv7())).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_FOUND' });
    await expect(sign('x')).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_FOUND' });
    const { id } = await service.addCredential({});
    await expect(sign(id)).rejects.toMatchObject({ reason: 'CREDENTIAL_TYPE_MISMATCH' });
    const github = await add({ scheme: 'github', secret: 's' });
    await expect(sign(github.id)).rejects.toMatchObject({
      reason: 'CREDENTIAL_TYPE_MISMATCH',
      message: expect.stringContaining('with the scheme standard'),
    });
    const { id: standard } = await add();
    const many = Array.from({ length: 51 }, (_, index) => message(`m${index}`));
    await expect(sign(standard, many)).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
  });

  it('is for executions alone, and its response and the logs never contain the secret', async () => {
    const { id } = await add();
    for (const name of ['gateway', 'workflows', 'runner'])
      await expect(
        service.as(name).credentials.signNotifications({
          credentialId: id,
          ownerId: service.owner.userId,
          subscriptionId: '',
          messages: [],
        }),
      ).rejects.toMatchObject({ kind: 'forbidden' });
    const secret = SECRET.slice('whsec_'.length);
    expect(JSON.stringify(await sign(id))).not.toContain(secret);
    expect(service.logs.join('\n')).not.toContain(secret);
  });

  it('records one use an hour, and none for a check without messages', async () => {
    const { id } = await add();
    const uses = async () =>
      service.database.connection
        .collection('audit')
        .find({ action: 'credential.use', 'about.credentialId': id })
        .toArray();
    await sign(id, []);
    expect(await uses()).toEqual([]);
    await sign(id);
    await sign(id);
    expect(await uses()).toMatchObject([{ actor: 'service:executions', about: { subscriptionId: 'subscription' } }]);
  });
});
