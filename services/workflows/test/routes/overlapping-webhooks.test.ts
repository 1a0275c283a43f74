import { webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

describe('webhooks of different owners', () => {
  let service: TestService;
  let other: TestService['gateway'];
  beforeAll(async () => {
    service = await startService();
    other = await service.addReplica();
  });
  afterAll(() => service.stop());

  const create = async (owner: string, path: string, parameters: object = {}, active = false) => {
    const nodes = [webhook(path, parameters)];
    return (await service.gateway.createWorkflow(workflowOf(nodes, { active }), service.as(owner, 'editor'))).workflow;
  };
  const activate = async (owner: string, path: string, parameters: object = {}) => {
    const workflow = await create(owner, path, parameters);
    const call = { workflowId: workflow?.id ?? '', ifEtags: [] };
    await service.gateway.activateWorkflow(call, service.as(owner, 'editor'));
    return call.workflowId;
  };
  const holderOf = async (path: string, method = 'POST') =>
    (await service.gateway.resolveWebhooks({ addresses: [{ method, path }] })).webhooks[0]?.workflowId;

  it.each([
    ['a fixed path', 'o1/customers/:id', 'o1/customers/acme'],
    ['a path with a parameter', 'o2/customers/acme', 'o2/customers/:id'],
    ['another combination of parameters', 'o3/:a/acme', 'o3/customers/:b'],
    ['more parameters', 'o4/:a/acme', 'o4/:a/:b'],
  ])('conflict if %s matches the same requests', async (_, held, wanted) => {
    const id = await activate('alice', held);
    await expect(activate('mallory', wanted)).rejects.toMatchObject({
      reason: 'WEBHOOK_PATH_TAKEN',
      message: expect.stringContaining(held),
      details: { path: wanted, method: 'POST', workflowId: id },
    });
    expect(await holderOf(held.replaceAll(/:\w+/g, 'x'))).toBe(id);
    // The same owner may hold both; the more specific one wins.
    await activate('alice', wanted);
  });

  it('conflict when they are created active, and when a new version is saved', async () => {
    await activate('alice', 'n1/:id');
    await expect(create('mallory', 'n1/x', {}, true)).rejects.toMatchObject({ reason: 'WEBHOOK_PATH_TAKEN' });
    const workflowId = await activate('mallory', 'n2/x');
    const { definition } = workflowOf([webhook('n1/y')]);
    const change = { workflowId, definition, ifVersionId: '', ifEtags: [] };
    await expect(service.gateway.replaceWorkflow(change, service.as('mallory', 'editor'))).rejects.toMatchObject({
      reason: 'WEBHOOK_PATH_TAKEN',
    });
    expect(await holderOf('n2/x')).toBe(workflowId);
  });

  it.each([
    ['of another length', 'd1/:id', 'd1/x/y', {}],
    ['with another fixed part', 'd2/a/:id', 'd2/b/x', {}],
    ['with another method', 'd3/:id', 'd3/x', { httpMethod: 'GET' }],
  ])('do not conflict with paths %s', async (_, held, wanted, parameters) => {
    await activate('alice', held);
    await expect(activate('mallory', wanted, parameters)).resolves.toBeDefined();
  });

  it('conflict in one of several methods', async () => {
    await activate('alice', 'm1/:id', { httpMethod: 'PUT' });
    const several = { multipleMethods: true, httpMethod: ['GET', 'PUT'] };
    await expect(activate('mallory', 'm1/x', several)).rejects.toMatchObject({
      reason: 'WEBHOOK_PATH_TAKEN',
      details: { method: 'PUT' },
    });
  });

  it('are free again once the workflow is inactive', async () => {
    const workflowId = await activate('alice', 'f1/:id');
    await service.gateway.deactivateWorkflow({ workflowId, ifEtags: [] }, service.as('alice', 'editor'));
    await expect(activate('mallory', 'f1/x')).resolves.toBeDefined();
  });

  it('never hold overlapping paths, even if activated at two replicas at once', async () => {
    for (let round = 0; round < 15; round += 1) {
      const [one, two] = [await create('alice', `r${round}/:id`), await create('mallory', `r${round}/x`)];
      const outcomes = await Promise.allSettled([
        service.gateway.activateWorkflow({ workflowId: one?.id ?? '', ifEtags: [] }, service.as('alice', 'editor')),
        other.activateWorkflow({ workflowId: two?.id ?? '', ifEtags: [] }, service.as('mallory', 'editor')),
      ]);
      const states = await Promise.all(
        [one, two].map(async (workflow) => {
          const asked = { workflowId: workflow?.id ?? '', knownEtags: [] };
          return (await service.gateway.getWorkflow(asked, service.as('alice', 'editor'))).workflow?.active;
        }),
      );
      expect(states.filter((isActive) => isActive === true).length).toBeLessThan(2);
      expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(states);
    }
  });
});
