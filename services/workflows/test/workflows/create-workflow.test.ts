import type { CreateWorkflowRequest } from '@weft/proto/workflows';
import { definitionOf, node, requestOf, webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

describe('CreateWorkflow', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const editor = () => service.as('u1', 'editor');
  const count = async () =>
    (await service.gateway.listWorkflows({ limit: 100, cursor: '', summary: false }, editor())).workflows.length;

  it('stores a workflow, inactive and owned by the caller, and gives every node an id', async () => {
    const { workflow } = await service.gateway.createWorkflow(
      workflowOf([node('Start', 'start'), node('Set', 'set')]),
      editor(),
    );
    expect(workflow).toMatchObject({ name: 'A workflow', active: false, ownerId: 'u1' });
    expect(definitionOf(workflow).nodes.map(({ id }) => String(id).length)).toEqual([36, 36]);
    expect(workflow?.createdAt).toEqual(workflow?.updatedAt);
    expect(await service.gateway.getWorkflow({ workflowId: workflow?.id ?? '', knownEtags: [] }, editor())).toEqual({
      workflow,
      notModified: false,
    });
  });

  it('stores a complete definition byte by byte', async () => {
    const text = ` {"name":"Größe", "nodes": [{"id":"mine","name":"Odd","type":"x.someday","position":[-1.5,1e7],
      "parameters":{"a":[1,{"b":null}],"big":12345678901234567890123,"one":1.0},"notes":"\\u00e9\\u0000"}],
      "connections":{},"settings":{},"pinData":{"Odd":[{"json":{}}]},"tags":["x"],"meta":null}`;
    const { workflow } = await service.gateway.createWorkflow(requestOf(text), editor());
    const { workflow: read } = await service.gateway.getWorkflow(
      { workflowId: workflow?.id ?? '', knownEtags: [] },
      editor(),
    );
    expect([workflow, read].map((one) => one?.definition.toString())).toEqual([text, text]);
    const { versions } = await service.fromExecutions.getVersions({ versionIds: [workflow?.versionId ?? ''] });
    expect(versions[0]?.definition.toString()).toBe(text);
  });

  it('adds missing fields that every response has, and changes nothing else', async () => {
    const bare = { name: 'Bare', type: 'x.someday', notes: 'n' };
    const { workflow } = await service.gateway.createWorkflow(
      requestOf({
        nodes: [bare, { ...bare, name: 'Empty', id: '', position: [] }],
        settings: null,
        tags: [],
      }),
      editor(),
    );
    const read = definitionOf(workflow);
    expect(workflow?.name).toBe('My workflow');
    expect(read).toEqual({
      name: 'My workflow',
      nodes: [
        { ...bare, id: expect.stringMatching(/^.{36}$/), position: [0, 0], parameters: {} },
        { ...bare, name: 'Empty', id: expect.stringMatching(/^.{36}$/), position: [0, 0], parameters: {} },
      ],
      connections: {},
      settings: {},
      tags: [],
    });
  });

  it('adds the type and input of links if they are omitted', async () => {
    const connections = { A: { main: [null, [{ node: 'B' }, { node: 'B', type: 'main', index: 1, extra: 1 }]] } };
    const { workflow, warnings } = await service.gateway.createWorkflow(
      requestOf({ name: 'w', nodes: [node('A', 'if'), node('B', 'merge')], connections }),
      editor(),
    );
    expect([definitionOf(workflow)['connections'], warnings]).toEqual([
      { A: { main: [null, [{ node: 'B', type: 'main', index: 0 }, connections.A.main[1]?.[1]]] } },
      [],
    ]);
  });

  it('stores dangling links, and warns about them', async () => {
    const { workflow, warnings } = await service.gateway.createWorkflow(
      workflowOf([node('A', 'set')], { connections: { A: { main: [[{ node: 'Gone', type: 'main', index: 0 }]] } } }),
      editor(),
    );
    const expected = [{ field: 'connections["A"].main[0][0].node', message: expect.stringContaining('"Gone"') }];
    expect(warnings).toEqual(expected);
    const { id: workflowId = '' } = workflow ?? {};
    const replacement = {
      workflowId,
      definition: workflow?.definition ?? Buffer.alloc(0),
      ifVersionId: '',
      ifEtags: [],
    };
    expect((await service.gateway.replaceWorkflow(replacement, editor())).warnings).toEqual(expected);
  });

  it('accepts an empty name, as exported workflows have', async () => {
    const { workflow } = await service.gateway.createWorkflow(workflowOf([], { name: '' }), editor());
    expect(
      (await service.gateway.getWorkflow({ workflowId: workflow?.id ?? '', knownEtags: [] }, editor())).workflow?.name,
    ).toBe('');
  });

  it('activates a workflow on request, or stores nothing if its address is taken', async () => {
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
      message: expect.stringContaining('send "active": false to store it'),
    });
    expect(await count()).toBe(before);
  });

  it('stores a workflow that cannot run as inactive, and says why', async () => {
    for (const nodes of [[node('What', 'nope')], [webhook(''), node('What', 'nope')], [node('Set', 'set')]]) {
      const { workflow, warnings } = await service.gateway.createWorkflow(
        workflowOf(nodes, { active: true }),
        editor(),
      );
      expect(workflow?.active).toBe(false);
      expect(warnings[0]).toEqual({
        field: 'active',
        message: expect.stringMatching(/^The workflow was stored, but not activated\. The workflow is not runnable: /),
      });
      expect(warnings.length).toBeGreaterThan(1);
    }
  });

  describe('refuses without storing anything:', () => {
    const cases: [string, CreateWorkflowRequest, object][] = [
      ['a node without a name', workflowOf([node('', 'set')]), { fields: [{ field: 'nodes[0].name' }] }],
      [
        'half of a character in a name',
        workflowOf([], { name: 'a\ud800' }),
        { fields: [{ field: 'name', message: expect.stringContaining('lone surrogate') }] },
      ],
      ['a name that is too long', workflowOf([], { name: 'x'.repeat(501) }), { fields: [{ field: 'name' }] }],
      [
        'two nodes with one name',
        workflowOf([node('A', 'set'), node('A', 'noOp')]),
        { fields: [{ field: 'nodes[1].name' }] },
      ],
      [
        'parameters that are not an object',
        workflowOf([{ ...node('A', 'set'), parameters: [] }]),
        { fields: [{ field: 'nodes[0].parameters' }] },
      ],
      [
        'an id that is not a string',
        workflowOf([node('A', 'set'), { ...node('B', 'set'), id: 5 }]),
        { fields: [{ field: 'nodes[1].id', message: '`nodes[1].id` must be a string.' }] },
      ],
      ['a definition that is not an object', requestOf('[]'), { fields: [{ field: '' }] }],
      ['broken JSON', requestOf('{'), { fields: [{ field: 'definition' }] }],
      [
        'nesting beyond all measure',
        requestOf(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`),
        { fields: [{ field: 'definition' }] },
      ],
      [
        'a key that reaches into prototypes',
        requestOf('{"name":"n","nodes":[],"settings":{"__proto__":{}}}'),
        { fields: [{ field: 'definition' }] },
      ],
      [
        'a position that is not finite',
        requestOf('{"name":"n","nodes":[{"id":"a","name":"A","type":"x.y","position":[1e999,0],"parameters":{}}]}'),
        { fields: [{ field: 'definition' }] },
      ],
      [
        'a position of three numbers',
        workflowOf([{ ...node('A', 'set'), position: [1, 2, 3] }]),
        { fields: [{ field: 'nodes[0].position' }] },
      ],
      [
        'connections that are not an object',
        workflowOf([], { connections: [] }),
        { fields: [{ field: 'connections' }] },
      ],
      [
        'a field that was meant to be the connections',
        requestOf({ name: 'n', nodes: [], Connection: {} }),
        { fields: [{ field: 'Connection' }] },
      ],
      [
        'a link to a node without a name',
        workflowOf([node('A', 'set')], { connections: { A: { main: [[{ node: '', type: '' }]] } } }),
        { fields: [{ field: 'connections["A"].main[0][0].node' }, { field: 'connections["A"].main[0][0].type' }] },
      ],
      ['settings that are not an object', workflowOf([], { settings: 5 }), { fields: [{ field: 'settings' }] }],
    ];
    it.each(cases)('%s', async (_, request, error) => {
      const before = await count();
      await expect(service.gateway.createWorkflow(request, editor())).rejects.toMatchObject({
        kind: 'invalid',
        reason: 'INVALID_REQUEST',
        ...error,
      });
      expect(await count()).toBe(before);
    });

    it('numbers that exceed 10 MB once they are serialised', async () => {
      const large = requestOf(`{"name":"n","nodes":[],"a":[${'1e20,'.repeat(490_000)}1]}`);
      await expect(service.gateway.createWorkflow(large, editor())).rejects.toMatchObject({
        reason: 'PAYLOAD_TOO_LARGE',
        kind: 'too-large',
      });
    });

    it('a definition of more than 10 MB', async () => {
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

  it('stores and returns almost 10 MB', async () => {
    const { workflow } = await service.gateway.createWorkflow(
      workflowOf([node('A', 'set', { a: 'x'.repeat(9_900_000) })]),
      editor(),
    );
    const { workflow: read } = await service.gateway.getWorkflow(
      { workflowId: workflow?.id ?? '', knownEtags: [] },
      editor(),
    );
    expect(read?.definition.equals(workflow?.definition ?? Buffer.alloc(0))).toBe(true);
    expect(JSON.stringify(definitionOf(read).nodes[0]?.['parameters']).length).toBe(9_900_008);
    await service.gateway.deleteWorkflow({ workflowId: workflow?.id ?? '', ifEtags: [] }, editor());
  });

  it('ignores the fields set by the service', async () => {
    const { workflow } = await service.gateway.createWorkflow(
      requestOf({ name: 'w', nodes: [], id: 'x', active: true, createdAt: 'y', updatedAt: 1, meta: {} }),
      editor(),
    );
    expect(workflow?.active).toBe(false);
    expect(definitionOf(workflow)).toEqual({ name: 'w', nodes: [], connections: {}, settings: {}, meta: {} });
  });

  it('is allowed to users who may write workflows', async () => {
    await expect(service.gateway.createWorkflow(workflowOf([]), service.as('u3', 'viewer'))).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    await expect(service.gateway.createWorkflow(workflowOf([]))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });
});
