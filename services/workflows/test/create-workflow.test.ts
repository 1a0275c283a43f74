import { node, webhook, workflowOf } from './support/definitions';
import { startService, type TestService } from './support/start-service';

describe('CreateWorkflow', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const editor = () => service.as('u1', 'editor');
  const count = async () =>
    (await service.gateway.listWorkflows({ limit: 100, cursor: '' }, editor())).workflows.length;

  it('stores a workflow, inactive and owned by the caller, and gives every node an id', async () => {
    const { workflow } = await service.gateway.createWorkflow(
      workflowOf([node('Start', 'start'), node('Set', 'set')]),
      editor(),
    );
    expect(workflow).toMatchObject({ name: 'A workflow', active: false, ownerId: 'u1' });
    expect(workflow?.nodes.map(({ id }) => id.length)).toEqual([36, 36]);
    expect(workflow?.createdAt).toEqual(workflow?.updatedAt);
    expect(await service.gateway.getWorkflow({ workflowId: workflow?.id ?? '' }, editor())).toEqual({ workflow });
  });

  it('keeps what it does not know, and leaves absent what came without', async () => {
    const odd = {
      ...node(
        'Odd',
        'someday',
        { a: [1, { b: null }] },
        { typeVersion: 7, credentials: { x: { id: '1', name: 'n' } }, notes: 'é\u0000"' },
      ),
      id: 'mine',
      position: [-1.5, 1e7],
    };
    const bare = { ...node('Bare', 'noOp'), position: [], parametersJson: '' };
    const request = {
      ...workflowOf([odd, bare]),
      connectionsJson: '',
      settingsJson: '',
      extraJson: '{"pinData":{"Odd":[{"json":{}}]},"tags":["x"],"meta":null}',
    };
    const { workflow } = await service.gateway.createWorkflow(request, editor());
    const { workflow: read } = await service.gateway.getWorkflow({ workflowId: workflow?.id ?? '' }, editor());
    expect(read).toMatchObject({ connectionsJson: '', settingsJson: '', extraJson: request.extraJson });
    expect(read?.nodes).toEqual([odd, { ...bare, id: read?.nodes[1]?.id }]);
  });

  it('takes a name that is empty, as exported workflows have', async () => {
    const { workflow } = await service.gateway.createWorkflow(workflowOf([], { name: '' }), editor());
    expect((await service.gateway.getWorkflow({ workflowId: workflow?.id ?? '' }, editor())).workflow?.name).toBe('');
  });

  it('activates what is to be active, or stores nothing', async () => {
    const { workflow } = await service.gateway.createWorkflow(
      workflowOf([webhook('create-a')], { active: true }),
      editor(),
    );
    expect(workflow?.active).toBe(true);
    const before = await count();
    await expect(
      service.gateway.createWorkflow(workflowOf([webhook('create-a')], { active: true }), editor()),
    ).rejects.toMatchObject({
      reason: 'WEBHOOK_PATH_TAKEN',
      kind: 'conflict',
      details: { path: 'create-a', method: 'POST', workflowId: workflow?.id },
    });
    await expect(
      service.gateway.createWorkflow(workflowOf([node('What', 'nope')], { active: true }), editor()),
    ).rejects.toMatchObject({
      reason: 'WORKFLOW_NOT_RUNNABLE',
      kind: 'invalid',
      fields: [{ field: 'nodes[0].type' }],
    });
    expect(await count()).toBe(before);
  });

  describe('refuses, and stores nothing:', () => {
    const cases: [string, Parameters<typeof workflowOf>, object][] = [
      ['a node without a name', [[node('', 'set')]], { fields: [{ field: 'nodes[0].name' }] }],
      ['a name that is too long', [[], { name: 'x'.repeat(501) }], { fields: [{ field: 'name' }] }],
      ['two nodes with one name', [[node('A', 'set'), node('A', 'noOp')]], { fields: [{ field: 'nodes[1].name' }] }],
      [
        'parameters that are no object',
        [[{ ...node('A', 'set'), parametersJson: '[]' }]],
        { fields: [{ field: 'nodes[0].parameters' }] },
      ],
      ['broken JSON', [[{ ...node('A', 'set'), parametersJson: '{' }]], { fields: [{ field: 'nodes[0].parameters' }] }],
      [
        'nesting beyond all measure',
        [[{ ...node('A', 'set'), parametersJson: `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}` }]],
        { fields: [{ field: 'nodes[0].parameters' }] },
      ],
      [
        'nesting beyond the limit of the whole',
        [[], { settingsJson: `{"a":${'['.repeat(99)}${']'.repeat(99)}}` }],
        { reason: 'INVALID_REQUEST' },
      ],
      [
        'a key that reaches into prototypes',
        [[], { settingsJson: '{"__proto__":{}}' }],
        { fields: [{ field: 'settings' }] },
      ],
      [
        'a position that is not finite',
        [[{ ...node('A', 'set'), position: [NaN, 0] }]],
        { fields: [{ field: 'nodes[0].position' }] },
      ],
      [
        'a position of three numbers',
        [[{ ...node('A', 'set'), position: [1, 2, 3] }]],
        { fields: [{ field: 'nodes[0].position' }] },
      ],
      [
        'a named field among the others',
        [[{ ...node('A', 'set'), extraJson: '{"type":5}' }]],
        { fields: [{ field: 'nodes[0]' }] },
      ],
      ['connections that are no object', [[], { connectionsJson: '[]' }], { fields: [{ field: 'connections' }] }],
      ['settings that are no object', [[], { settingsJson: '5' }], { fields: [{ field: 'settings' }] }],
    ];
    it.each(cases)('%s', async (_, [nodes, rest], error) => {
      const before = await count();
      await expect(service.gateway.createWorkflow(workflowOf(nodes, rest), editor())).rejects.toMatchObject({
        kind: 'invalid',
        reason: 'INVALID_REQUEST',
        ...error,
      });
      expect(await count()).toBe(before);
    });

    it('more than 10 MB', async () => {
      const large = workflowOf([
        node('A', 'set', { a: 'x'.repeat(9_000_000) }),
        node('B', 'set', { a: 'x'.repeat(1_100_000) }),
      ]);
      await expect(service.gateway.createWorkflow(large, editor())).rejects.toMatchObject({
        reason: 'PAYLOAD_TOO_LARGE',
        kind: 'too-large',
      });
    });
  });

  it('takes and gives back almost 10 MB', async () => {
    const { workflow } = await service.gateway.createWorkflow(
      workflowOf([node('A', 'set', { a: 'x'.repeat(9_900_000) })]),
      editor(),
    );
    const { workflow: read } = await service.gateway.getWorkflow({ workflowId: workflow?.id ?? '' }, editor());
    expect(read?.nodes[0]?.parametersJson.length).toBe(9_900_008);
    await service.gateway.deleteWorkflow({ workflowId: workflow?.id ?? '' }, editor());
  });

  it('does not keep what the service itself says of a workflow', async () => {
    const { workflow } = await service.gateway.createWorkflow(
      workflowOf([], { extraJson: '{"id":"x","active":true,"createdAt":"y","updatedAt":1,"meta":{}}' }),
      editor(),
    );
    expect(workflow).toMatchObject({ extraJson: '{"meta":{}}', active: false });
  });

  it('is for users that may write workflows', async () => {
    await expect(service.gateway.createWorkflow(workflowOf([]), service.as('u3', 'viewer'))).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    await expect(service.gateway.createWorkflow(workflowOf([]))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });
});
