import type { StartListeningRequest } from '@weft/proto/listening';
import { uuidv7 } from '@weft/service-kit/ids';
import { until } from '@weft/service-kit/testing';
import { definitionOf, node, webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

describe('ListeningService', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const create = async (path: string, parameters: object = {}, userId = 'u1', extra: object = {}) => {
    const hook = { ...webhook(path, parameters), typeVersion: 2, ...extra };
    const made = await service.gateway.createWorkflow(workflowOf([hook]), service.as(userId, 'editor'));
    return made.workflow?.id ?? '';
  };
  const listen = async (workflowId: string, more: Partial<StartListeningRequest> = {}, userId = 'u1') =>
    (
      await service.listening.startListening(
        { workflowId, node: 'Hook', seconds: 60, ...more },
        service.as(userId, 'editor'),
      )
    ).listening;
  const find = async (...addresses: [string, string][]) =>
    (await service.listening.findListening({ addresses: addresses.map(([method, path]) => ({ method, path })) })).found;
  const take = async (workflowId: string, listeningId: string, executionId = uuidv7()) =>
    (await service.listening.takeListening({ workflowId, listeningId, executionId })).taken;
  const get = async (workflowId: string) =>
    (await service.listening.getListening({ workflowId }, service.as('u1', 'viewer'))).listening;

  it('waits at the address of the draft, which is not stored as the workflow', async () => {
    const id = await create('listen/stored');
    const draft = workflowOf([{ ...webhook('listen/:draft', { httpMethod: 'PUT' }), webhookId: 'w', typeVersion: 2 }]);
    const started = await listen(id, { definition: draft.definition });
    expect(started).toMatchObject({ node: 'Hook', methods: ['PUT'], path: 'w/listen/:draft' });
    expect(Math.abs((started?.until?.getTime() ?? 0) - Date.now() - 60_000)).toBeLessThan(5_000);
    const [found, other, stored] = await find(['PUT', 'w/listen/7'], ['POST', 'w/listen/7'], ['POST', 'listen/stored']);
    expect(found).toMatchObject({
      listeningId: started?.id,
      webhook: {
        found: true,
        workflowId: id,
        ownerId: 'u1',
        node: 'Hook',
        pathParams: { draft: '7' },
        leaseMs: 0,
        settings: { $case: 'webhook' },
      },
    });
    expect([other, stored].map((one) => one?.webhook?.found)).toEqual([false, false]);
    const version = found?.webhook?.versionId ?? '';
    const { versions } = await service.fromExecutions.getVersions({ versionIds: [version] });
    expect(definitionOf(versions[0])).toMatchObject({ nodes: [{ parameters: { httpMethod: 'PUT' } }] });
    const { workflow } = await service.gateway.getWorkflow(
      { workflowId: id, knownEtags: [] },
      service.as('u1', 'viewer'),
    );
    expect(definitionOf(workflow)).toMatchObject({ nodes: [{ parameters: { httpMethod: 'POST' } }] });
  });

  it('is ended by its first call, once, and tells which execution that started', async () => {
    const id = await create('listen/once');
    const started = await listen(id);
    const [mine, others] = [uuidv7(), uuidv7()];
    expect(await Promise.all([take(id, started?.id ?? '', mine), take(id, started?.id ?? '', mine)])).toEqual([
      true,
      true,
    ]);
    expect(await take(id, started?.id ?? '', others)).toBe(false);
    expect((await find(['POST', 'listen/once']))[0]?.webhook?.found).toBe(false);
    expect(await get(id)).toMatchObject({ id: started?.id, executionId: mine });
  });

  it('is replaced by a later one of the workflow, which the end of the earlier one leaves alone', async () => {
    const id = await create('listen/again');
    const first = await listen(id);
    const second = await listen(id);
    expect(await take(id, first?.id ?? '')).toBe(false);
    await service.listening.stopListening({ workflowId: id, listeningId: first?.id ?? '' }, service.as('u1', 'editor'));
    expect((await get(id))?.id).toBe(second?.id);
    await service.listening.stopListening({ workflowId: id, listeningId: '' }, service.as('u1', 'editor'));
    await service.listening.stopListening({ workflowId: id, listeningId: '' }, service.as('u1', 'editor'));
    expect(await get(id)).toBeUndefined();
    expect(await take(id, second?.id ?? '')).toBe(false);
  });

  it('ends with its time, and frees its address for another workflow', async () => {
    const first = await create('listen/ends');
    const started = await listen(first, { seconds: 1 });
    await until('it has ended', async () =>
      (await find(['POST', 'listen/ends']))[0]?.webhook?.found === false ? true : undefined,
    );
    expect(await take(first, started?.id ?? '')).toBe(false);
    expect((await listen(await create('listen/ends')))?.path).toBe('listen/ends');
  });

  it('refuses an address at which another workflow waits, and overlaps with those of other owners', async () => {
    await listen(await create('listen/taken'));
    const same = await create('listen/taken');
    await expect(listen(same)).rejects.toMatchObject({ reason: 'WEBHOOK_PATH_TAKEN' });
    await listen(await create('listen/:any', {}, 'u1', { webhookId: 'shop' }));
    const specific = await create('shop/listen/specific', {}, 'u2');
    await expect(listen(specific, {}, 'u2')).rejects.toMatchObject({ reason: 'WEBHOOK_PATH_TAKEN' });
    expect((await listen(await create('shop/listen/own')))?.path).toBe('shop/listen/own');
    // A running webhook at the same path is another address.
    const active = workflowOf([{ ...webhook('listen/live'), typeVersion: 2 }], { active: true });
    await service.gateway.createWorkflow(active, service.as('u2', 'editor'));
    expect((await listen(await create('listen/live')))?.path).toBe('listen/live');
  });

  it('leaves one of two owners who begin at the same moment, or none, never both', async () => {
    const [one, other] = [await create('race/:x', {}, 'u1', { webhookId: 'r' }), await create('r/race/y', {}, 'u2')];
    const outcomes = await Promise.allSettled([listen(one), listen(other, {}, 'u2')]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(2);
  });

  it.each([
    ['a node that is no webhook', 'Other', {}, 'no enabled webhook'],
    ['a disabled webhook', 'Hook', { disabled: true }, 'no enabled webhook'],
    ['an unknown node', 'Nothing', {}, 'no enabled webhook'],
  ])('refuses %s', async (_, name, extra, message) => {
    const id = await create('listen/refused');
    const draft = workflowOf([{ ...webhook('listen/refused'), ...extra }, node('Other', 'set')]);
    await expect(listen(id, { node: name, definition: draft.definition })).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'node', message: expect.stringContaining(message) }],
    });
  });

  it('refuses a pinned webhook, a draft that cannot run, a lacking credential, and more than 300 s', async () => {
    const id = await create('listen/invalid');
    const listenTo = (nodes: readonly object[], more: { readonly pinData?: object } = {}) =>
      listen(id, { definition: workflowOf(nodes, more).definition });
    await expect(listenTo([webhook('p')], { pinData: { Hook: [{ json: {} }] } })).rejects.toMatchObject({
      fields: [{ field: 'node', message: expect.stringContaining('pinned') }],
    });
    await expect(listenTo([webhook('p'), node('X', 'nothingLikeThis')])).rejects.toMatchObject({
      reason: 'WORKFLOW_NOT_RUNNABLE',
    });
    service.credentials.stored.push({ id: 'theirs', type: 'httpBasicAuth', name: 'C', ownerId: 'u2' });
    const credentials = { httpBasicAuth: { id: 'theirs', name: 'C' } };
    await expect(
      listenTo([webhook('p'), node('Get', 'httpRequest', { url: 'http://x' }, { credentials })]),
    ).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_GRANTED' });
    await expect(listen(id, { seconds: 301 })).rejects.toMatchObject({ fields: [{ field: 'seconds' }] });
  });

  it('is for those who may change the workflow, and only while they own it', async () => {
    const [mine, theirs] = [uuidv7(), uuidv7()];
    const id = await create('listen/rights', {}, mine);
    await expect(listen(id, {}, 'u2')).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    const asViewer = service.as(mine, 'viewer');
    const request = { workflowId: id, node: 'Hook', seconds: 0 };
    await expect(service.listening.startListening(request, asViewer)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await listen(id, {}, mine);
    await expect(
      service.listening.stopListening({ workflowId: id, listeningId: '' }, service.as('u2', 'editor')),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await service.ownership.transferOwnership({ fromOwnerId: mine, toOwnerId: theirs });
    expect((await find(['POST', 'listen/rights']))[0]?.webhook?.found).toBe(false);
  });

  it('ends with its workflow', async () => {
    const id = await create('listen/deleted', {}, 'u5');
    await listen(id, {}, 'u5');
    await service.gateway.deleteWorkflow({ workflowId: id, ifEtags: [] }, service.as('u5', 'editor'));
    expect((await find(['POST', 'listen/deleted']))[0]?.webhook?.found).toBe(false);
    await expect(get(id)).rejects.toMatchObject({ reason: 'WORKFLOW_NOT_FOUND' });
  });

  it('lets an owner with many waiting workflows wait for no more, and every other owner as before', async () => {
    for (let n = 0; n < 20; n += 1) await listen(await create(`many/${n}`, {}, 'hostile'), {}, 'hostile');
    const next = await create('many/20', {}, 'hostile');
    await expect(listen(next, {}, 'hostile')).rejects.toMatchObject({ reason: 'TOO_MANY_LISTENING' });
    const healthy = await create('many/healthy', {}, 'healthy');
    expect((await listen(healthy, {}, 'healthy'))?.path).toBe('many/healthy');
    expect((await find(['POST', 'many/healthy']))[0]?.webhook?.found).toBe(true);
  });
});
