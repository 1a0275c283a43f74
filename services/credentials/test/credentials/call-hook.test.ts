import { HookAction, type CallHookRequest } from '@weft/proto/credentials';
import type { HookRules } from '@weft/proto/channels';
import { uuidv7 } from '@weft/service-kit/ids';
import { createHash, createHmac } from 'node:crypto';
import { startService, type TestService } from '../support/service-under-test';

const BOT = { type: 'telegramApi', dataJson: '{"accessToken":"123:s3cret-word"}' };

describe('CallHook', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.stop());

  const call = (over: Partial<CallHookRequest> = {}, caller = 'workflows') =>
    service.as(caller).credentials.callHook({
      action: HookAction.HOOK_ACTION_REGISTER,
      hookId: 'w1 hook/webhook',
      workflowId: 'w1',
      ownerId: service.owner.userId,
      kind: 'telegramTrigger',
      version: 1.2,
      parametersJson: '{"updates":["message"]}',
      credentialType: 'telegramApi',
      credentialId: '',
      url: 'https://weft.example/webhook/hook/webhook',
      sealedSecret: '',
      keptJson: '',
      ...over,
    });
  const rules = (over: Partial<HookRules>): HookRules => ({
    hookId: 'w1 hook/webhook',
    sealedSecret: '',
    scheme: 'header',
    header: 'x-secret',
    keyField: '',
    optional: false,
    handshake: '',
    credentialType: 'telegramApi',
    ...over,
  });
  const verify = (hook: HookRules | undefined, headers: Record<string, string>, more: object = {}) =>
    service.as('gateway').credentials.verifyWebhookAuth({
      authentication: 'hook',
      credentialId: '',
      ownerId: service.owner.userId,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      ...(hook === undefined ? {} : { hook }),
      ...more,
    });

  it('makes a secret of 32 bytes, which only a runner gets, and which stays the same', async () => {
    const { id: credentialId } = await service.addCredential(BOT);
    const prepared = await call({ action: HookAction.HOOK_ACTION_PREPARE, credentialId });
    expect(service.runner.hooks).toEqual([]);
    const { sealedSecret, credentialRevision, outcome } = await call({
      credentialId,
      sealedSecret: prepared.sealedSecret,
    });
    expect(outcome).toEqual({ $case: 'answer', value: { valid: true, keptJson: '{"id":1}' } });
    await call({ action: HookAction.HOOK_ACTION_CHECK, credentialId, sealedSecret, keptJson: '{"id":1}' });
    const [first, second] = service.runner.hooks;
    expect(first).toMatchObject({
      kind: 'telegramTrigger',
      version: 1.2,
      credentialType: 'telegramApi',
      dataJson: BOT.dataJson,
      url: 'https://weft.example/webhook/hook/webhook',
      ownerId: service.owner.userId,
    });
    expect(Buffer.from(first?.secret ?? '', 'base64url')).toHaveLength(32);
    expect(second).toMatchObject({ secret: first?.secret, keptJson: '{"id":1}' });
    expect(JSON.stringify([prepared, sealedSecret])).not.toContain(first?.secret);
    expect(credentialRevision).toBe(prepared.credentialRevision);
  });

  it('uses only credentials of the type that the workflow may use, and records it without a secret', async () => {
    const { id: credentialId } = await service.addCredential(BOT);
    const editor = await service.addUser('editor');
    await expect(call({ credentialId, ownerId: editor.userId })).rejects.toMatchObject({
      reason: 'CREDENTIAL_NOT_GRANTED',
    });
    await expect(call({ credentialId, credentialType: 'slackApi' })).rejects.toMatchObject({
      reason: 'CREDENTIAL_TYPE_MISMATCH',
    });
    await expect(call({ credentialId: uuidv7() })).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_FOUND' });
    await expect(call({ credentialId }, 'runner')).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    expect(service.runner.hooks).toEqual([]);
    await call({ credentialId });
    const records = await service.database.connection.collection('audit').find({ action: 'credential.use' }).toArray();
    expect(records).toMatchObject([{ about: { credentialId, workflowId: 'w1' } }]);
    expect(JSON.stringify([records, service.logs])).not.toContain('s3cret-word');
  });

  it('has the hooks of a changed credential checked, also if the workflows service is away', async () => {
    const { id: credentialId } = await service.addCredential(BOT);
    const change = () =>
      service.as('gateway').credentials.updateCredential({ credentialId, name: 'New' }, { principal: service.owner });
    await change();
    expect(service.workflows.rechecked).toEqual([credentialId]);
    service.workflows.setAway(true);
    await expect(change()).resolves.toMatchObject({ credential: { name: 'New' } });
  });

  describe('and the calls of the service', () => {
    it('are admitted with the secret of this hook alone', async () => {
      const { id: credentialId } = await service.addCredential(BOT);
      const { sealedSecret } = await call({ credentialId });
      const secret = service.runner.hooks[0]?.secret ?? '';
      const hook = rules({ sealedSecret });
      expect(await verify(hook, { 'x-secret': secret })).toMatchObject({ granted: true, secretHeader: 'x-secret' });
      expect(await verify(hook, { 'x-secret': `${secret}x` })).toMatchObject({ granted: false, refusalStatus: 403 });
      expect(await verify(hook, {})).toMatchObject({ granted: false, refusalStatus: 401 });
      expect(await verify(rules({}), { 'x-secret': '' })).toMatchObject({ granted: false });
      expect(await verify(undefined, { 'x-secret': secret })).toMatchObject({ granted: false });
      const other = { ...hook, hookId: 'w2 hook/webhook' };
      await expect(verify(other, { 'x-secret': secret })).rejects.toMatchObject({ reason: 'CREDENTIAL_UNREADABLE' });
    });

    it('are admitted with the secret of this hook in their address, once', async () => {
      const { id: credentialId } = await service.addCredential(BOT);
      const { sealedSecret } = await call({ credentialId });
      const secret = service.runner.hooks[0]?.secret ?? '';
      const hook = rules({ scheme: 'query', header: 'token', sealedSecret });
      const at = (query: string) => ({ url: `https://weft.example/webhook/hook/webhook?${query}` });
      expect(await verify(hook, {}, at(`a=1&token=${secret}`))).toMatchObject({ granted: true, secretHeader: '' });
      expect(await verify(hook, {}, at(`token=${secret}x`))).toMatchObject({ granted: false, refusalStatus: 403 });
      expect(await verify(hook, { token: secret }, at('a=1'))).toMatchObject({ granted: false, refusalStatus: 401 });
      expect(await verify(hook, {}, at(`token=x&token=${secret}`))).toMatchObject({ granted: false });
      expect(await verify({ ...hook, sealedSecret: '' }, {}, at('token='))).toMatchObject({ granted: false });
    });

    it('are admitted with a signature by the secret of this hook', async () => {
      const { id: credentialId } = await service.addCredential(BOT);
      const { sealedSecret } = await call({ credentialId });
      const hook = rules({ scheme: 'github', header: '', sealedSecret });
      const body = Buffer.from('{"action":"opened"}');
      const signed = (secret: string) => ({
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      });
      const headers = signed(service.runner.hooks[0]?.secret ?? '');
      expect(await verify(hook, headers)).toMatchObject({ granted: false, needsBody: true });
      expect(await verify(hook, headers, { body })).toMatchObject({ granted: true });
      expect(await verify(hook, headers, { body: Buffer.from('{}') })).toMatchObject({ granted: false });
      expect(await verify(hook, signed('other'), { body })).toMatchObject({ granted: false, refusalStatus: 403 });
      expect(await verify(hook, {}, { body })).toMatchObject({ granted: false, refusalStatus: 401 });
      const unregistered = rules({ scheme: 'github', header: '' });
      expect(await verify(unregistered, signed(''), { body })).toMatchObject({ granted: false });
    });

    it('are admitted with a signature by a field of the credential, or without one if it is optional', async () => {
      const add = (data: object) =>
        service.addCredential({ type: 'slackApi', dataJson: JSON.stringify({ accessToken: 'x', ...data }) });
      const { id: credentialId } = await add({ signatureSecret: 'sign' });
      const hook = rules({ scheme: 'slack', keyField: 'signatureSecret', optional: true, credentialType: 'slackApi' });
      const body = Buffer.from('{"type":"event_callback"}');
      const time = String(Math.floor(Date.now() / 1_000));
      const value = `v0=${createHmac('sha256', 'sign').update(`v0:${time}:`).update(body).digest('hex')}`;
      const headers = { 'x-slack-signature': value, 'x-slack-request-timestamp': time };
      expect(await verify(hook, headers, { credentialId })).toMatchObject({ granted: false, needsBody: true });
      expect(await verify(hook, headers, { credentialId, body })).toMatchObject({ granted: true });
      expect(await verify(hook, headers, { credentialId, body: Buffer.from('{}') })).toMatchObject({ granted: false });
      expect(await verify(hook, {}, { credentialId })).toMatchObject({ granted: false });
      const { id: without } = await add({});
      expect(await verify(hook, {}, { credentialId: without })).toMatchObject({ granted: true });
      const required = { ...hook, optional: false };
      expect(await verify(required, {}, { credentialId: without })).toMatchObject({ granted: false });
    });

    it('of Twilio are admitted with its signature of the address, which has the digest of the body', async () => {
      const dataJson = JSON.stringify({ authType: 'authToken', accountSid: 'AC1', authToken: 'token' });
      const { id: credentialId } = await service.addCredential({ type: 'twilioApi', dataJson });
      const hook = rules({ scheme: 'twilio', keyField: 'authToken', optional: true, credentialType: 'twilioApi' });
      const body = Buffer.from('[{"id":"e1"}]');
      const digest = createHash('sha256').update(body).digest('hex');
      const url = `https://weft.example/webhook/hook/webhook?bodySHA256=${digest}`;
      const headers = { 'x-twilio-signature': createHmac('sha1', 'token').update(url).digest('base64') };
      const more = { credentialId, url };
      expect(await verify(hook, headers, more)).toMatchObject({ granted: false, needsBody: true });
      expect(await verify(hook, headers, { ...more, body })).toMatchObject({ granted: true });
      expect(await verify(hook, headers, { ...more, body: Buffer.from('[]') })).toMatchObject({ granted: false });
      expect(await verify(hook, headers, { ...more, url: `${url}&a=1`, body })).toMatchObject({ granted: false });
      expect(await verify(hook, {}, more)).toMatchObject({ granted: false, refusalStatus: 401 });
    });
  });
});
