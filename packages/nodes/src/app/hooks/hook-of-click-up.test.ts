import { type HookAnswer, requestHook, type SentByHook, URL_OF_HOOK } from '../testing/request-hook';

const requests = ({ sent }: { readonly sent: readonly SentByHook[] }) =>
  sent.map(({ method, path }) => `${method} ${path}`);

describe('the hook of a ClickUp trigger', () => {
  const credential = { type: 'clickUpApi', data: { accessToken: 'token' } };
  const address = `${URL_OF_HOOK}?token=s3cret`;
  const own = { id: 'w1', endpoint: address, health: { status: 'active' } };
  const other = { id: 'w2', endpoint: `${URL_OF_HOOK}?token=other`, health: { status: 'active' } };
  const parameters = { team: '7', events: ['taskUpdated', 'taskCreated'], filters: { listId: '#9', spaceId: '' } };
  const kept = { wanted: 'taskCreated,taskUpdated,list_id,9' };
  const withHooks =
    (...webhooks: object[]): HookAnswer =>
    ({ method }) => ({ body: method === 'GET' ? { webhooks } : {} });

  it('has the secret in its address, and only the events and filters of the node', async () => {
    const added = await requestHook('clickUpTrigger', 'register', credential, withHooks(other), { parameters });
    expect(requests(added)).toEqual(['GET /api/v2/team/7/webhook', 'POST /api/v2/team/7/webhook']);
    expect(JSON.parse(added.sent[1]?.body ?? '')).toEqual({
      endpoint: address,
      events: ['taskCreated', 'taskUpdated'],
      list_id: '9',
    });
    expect(added.result).toMatchObject({ kept });
  });

  it('asks for all events by an asterisk', async () => {
    const all = { parameters: { team: '7', events: ['taskCreated', '*'] } };
    const { sent } = await requestHook('clickUpTrigger', 'register', credential, withHooks(), all);
    expect(JSON.parse(sent[1]?.body ?? '')).toEqual({ endpoint: address, events: '*' });
  });

  it('replaces one whose response was lost', async () => {
    const added = await requestHook('clickUpTrigger', 'register', credential, withHooks(other, own), { parameters });
    expect(requests(added).slice(1)).toEqual(['DELETE /api/v2/webhook/w1', 'POST /api/v2/team/7/webhook']);
  });

  it('is valid with its secret, its events and its filters, until ClickUp suspends it', async () => {
    const check = async (webhook: object, options: object = {}) =>
      (await requestHook('clickUpTrigger', 'check', credential, withHooks(webhook), { parameters, kept, ...options }))
        .result;
    expect(await check(own)).toMatchObject({ isValid: true });
    expect(await check(other)).toMatchObject({ isValid: false });
    expect(await check({ ...own, health: { status: 'suspended' } })).toMatchObject({ isValid: false });
    expect(await check(own, { parameters: { ...parameters, events: ['*'] } })).toMatchObject({ isValid: false });
    expect(await check(own, { parameters: { ...parameters, filters: {} } })).toMatchObject({ isValid: false });
    expect(await check(own, { kept: null })).toMatchObject({ isValid: false });
  });

  it('is removed, and no other one is', async () => {
    const remove = (...webhooks: object[]) =>
      requestHook('clickUpTrigger', 'remove', credential, withHooks(...webhooks), { parameters, kept });
    expect(requests(await remove(other, own))).toEqual(['GET /api/v2/team/7/webhook', 'DELETE /api/v2/webhook/w1']);
    expect(requests(await remove(other))).toHaveLength(1);
    expect((await remove()).result).toMatchObject({ kind: 'done' });
  });
});
