import { StartPurpose, type PreparedStart, type StartRequest } from '@weft/proto/workflows';
import type { ServiceError } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import { closeAfterEach, testMongodbUri } from '@weft/service-kit/testing';
import fc from 'fast-check';
import mongoose from 'mongoose';
import { node, webhook, workflowOf } from '../support/definitions';
import { preparedOrError } from '../support/prepared-starts';
import { startService, type TestService } from '../support/start-service';

describe('PrepareStarts', () => {
  const later = closeAfterEach();
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const create = async (...nodes: Parameters<typeof workflowOf>[0]) =>
    (await service.gateway.createWorkflow(workflowOf(nodes), service.as('u1', 'editor'))).workflow;
  const params = (workflowId: string | undefined, rest: Partial<StartRequest> = {}): StartRequest => ({
    workflowId: workflowId ?? '',
    startNode: '',
    userId: 'u1',
    role: 'editor',
    projectIds: [],
    ...rest,
  });
  const prepare = async (...starts: StartRequest[]): Promise<Partial<PreparedStart & ServiceError>[]> =>
    (await service.fromExecutions.prepareStarts({ starts })).results.map(preparedOrError);

  it('resolves version, owner and start node for each request in order, of inactive workflows too', async () => {
    const hook = await create(webhook('prepare-a'), node('Set', 'set'));
    const manual = await create(webhook('prepare-b'), node('Start', 'manualTrigger'));
    expect(
      await prepare(params(manual?.id), params(uuidv7()), params(hook?.id), params(hook?.id, { startNode: 'Set' })),
    ).toEqual([
      {
        versionId: manual?.versionId,
        ownerId: 'u1',
        startNode: 'Start',
      },
      expect.objectContaining({ reason: 'WORKFLOW_NOT_FOUND' }),
      {
        versionId: hook?.versionId,
        ownerId: 'u1',
        startNode: 'Hook',
      },
      {
        versionId: hook?.versionId,
        ownerId: 'u1',
        startNode: 'Set',
      },
    ]);
  });

  it('starts workflows of a project only for its editors, within their role', async () => {
    const project = uuidv7();
    const { workflow } = await service.gateway.createWorkflow(
      workflowOf([node('Start', 'manualTrigger')]),
      service.as(project, 'editor'),
    );
    const member = { userId: 'u2', projectIds: [uuidv7(), project] };
    expect(
      await prepare(
        params(workflow?.id, member),
        params(workflow?.id, { ...member, role: 'viewer' }),
        params(workflow?.id, { userId: 'u3', projectIds: [uuidv7()] }),
      ),
    ).toEqual([
      { versionId: workflow?.versionId, ownerId: project, startNode: 'Start' },
      expect.objectContaining({ reason: 'FORBIDDEN' }),
      expect.objectContaining({ reason: 'FORBIDDEN' }),
    ]);
  });

  it('answers each request independently of the errors of others', async () => {
    const [good, broken] = [await create(node('Start', 'manualTrigger')), await create(node('Start', 'manualTrigger'))];
    const connecting = mongoose.createConnection(testMongodbUri(), { dbName: service.database }).asPromise();
    const connection = later(await connecting, (open) => open.close());
    await connection.collection<{ _id: string }>('versions').deleteOne({ _id: broken?.versionId ?? '' });
    const bad: readonly StartRequest[] = [
      params(broken?.id),
      params('no id'),
      params(uuidv7()),
      params(good?.id, { role: 'nobody' }),
      params(good?.id, { startNode: 'None' }),
      params(good?.id, { definition: Buffer.from('{') }),
      params(good?.id, { definition: Buffer.from('[]') }),
    ];
    const property = fc.asyncProperty(
      fc.shuffledSubarray([...bad], { minLength: bad.length }),
      fc.nat(bad.length),
      async (others, at) => {
        const requests = [...others.slice(0, at), params(good?.id), ...others.slice(at)];
        const starts = await prepare(...requests);
        expect(starts.map(({ reason }, index) => [index, reason === undefined])).toEqual(
          requests.map((_, index) => [index, index === at]),
        );
        expect(starts[requests.findIndex(({ workflowId }) => workflowId === broken?.id)]?.reason).toBe(
          'INTERNAL_ERROR',
        );
      },
    );
    await fc.assert(property, { numRuns: 4, seed: 2, endOnFailure: true });
  });

  it('uses a replacement at once', async () => {
    const before = await create(node('Start', 'manualTrigger'));
    await prepare(params(before?.id));
    const { workflow } = await service.gateway.replaceWorkflow(
      { ...workflowOf([node('Other', 'manualTrigger')]), workflowId: before?.id ?? '', ifVersionId: '', ifEtags: [] },
      service.as('u1', 'editor'),
    );
    expect(await prepare(params(before?.id))).toMatchObject([{ versionId: workflow?.versionId, startNode: 'Other' }]);
  });

  it('checks role and owner for a user, but not for a service', async () => {
    const workflow = await create(node('Start', 'manualTrigger'));
    const starts = await prepare(
      params(workflow?.id, { userId: 'u2' }),
      params(workflow?.id, { role: 'viewer' }),
      params(workflow?.id, { role: 'nobody' }),
      params(workflow?.id, { role: '' }),
      params(workflow?.id, { userId: 'u2', role: 'admin' }),
      params(workflow?.id, { userId: '', role: '' }),
    );
    expect(starts.map(({ reason }) => reason)).toEqual([
      'FORBIDDEN',
      'FORBIDDEN',
      'FORBIDDEN',
      'FORBIDDEN',
      undefined,
      undefined,
    ]);
  });

  it('reports the errors that prevent a run, with their fields', async () => {
    const broken = await create(node('Start', 'manualTrigger'), node('What', 'nope'));
    const empty = await create(node('Set', 'set'));
    const fine = await create(node('Start', 'manualTrigger'), node('Off', 'set', {}, { disabled: true }));
    expect(
      await prepare(
        params(broken?.id),
        params(empty?.id),
        params(fine?.id, { startNode: 'Gone' }),
        params(fine?.id, { startNode: 'Off' }),
      ),
    ).toMatchObject([
      { reason: 'WORKFLOW_NOT_RUNNABLE', fields: [{ field: 'nodes[1].type' }] },
      { reason: 'WORKFLOW_NOT_RUNNABLE', fields: [{ field: 'nodes' }] },
      { reason: 'WORKFLOW_NOT_RUNNABLE', fields: [{ field: 'startNode' }] },
      { reason: 'WORKFLOW_NOT_RUNNABLE', fields: [{ field: 'startNode' }] },
    ]);
  });

  it('names nodes of unknown kinds if there is no start node', async () => {
    const workflow = await create(node('Chat', 'facebookTrigger'), node('Set', 'set'));
    expect(await prepare(params(workflow?.id))).toMatchObject([
      {
        reason: 'WORKFLOW_NOT_RUNNABLE',
        fields: [{ field: 'nodes[0].type', message: expect.stringContaining('"Chat"') }, { field: 'nodes' }],
      },
    ]);
  });

  it('checks only nodes that the run can reach', async () => {
    const workflow = await create(
      node('What', 'nope'),
      node('Start', 'manualTrigger'),
      node('Off', 'htpRequest', {}, { disabled: true }),
      node('Set', 'set'),
    );
    const spoiled = await create(
      node('Start', 'manualTrigger'),
      node('Off', 'noOp', {}, { disabled: true }),
      node('Post', 'htpRequest'),
    );
    expect(
      await prepare(
        params(workflow?.id),
        params(workflow?.id, { startNode: 'What' }),
        params(spoiled?.id),
        params(spoiled?.id, { startNode: 'Post' }),
      ),
    ).toMatchObject([
      { startNode: 'Start' },
      { reason: 'WORKFLOW_NOT_RUNNABLE', fields: [{ field: 'nodes[0].type' }] },
      {
        reason: 'WORKFLOW_NOT_RUNNABLE',
        fields: [{ field: 'nodes[2].type', message: expect.stringMatching(/"Post".*Did you mean "httpRequest"/) }],
      },
      { reason: 'WORKFLOW_NOT_RUNNABLE' },
    ]);
  });

  it('does not check nodes whose pins the run uses', async () => {
    const { workflow } = await service.gateway.createWorkflow(
      workflowOf([node('Start', 'manualTrigger'), node('Task', 'asana'), node('Set', 'set')], {
        pinData: { Task: [{ json: {} }] },
      }),
      service.as('u1', 'editor'),
    );
    const starts = await prepare(
      params(workflow?.id, { usePinData: true }),
      params(workflow?.id, { usePinData: false }),
      params(workflow?.id),
    );
    expect(starts.map(({ reason }) => reason)).toEqual([undefined, 'WORKFLOW_NOT_RUNNABLE', 'WORKFLOW_NOT_RUNNABLE']);
  });

  it('starts at the trigger that matches the purpose', async () => {
    const all = await create(
      node('Start', 'manualTrigger'),
      node('Called', 'executeWorkflowTrigger'),
      node('Failed', 'errorTrigger'),
    );
    const onlyError = await create(node('Failed', 'errorTrigger'));
    const onlyCall = await create(node('Called', 'executeWorkflowTrigger', { inputSource: 'passthrough' }));
    const service_ = { userId: '', role: '' };
    const call = { ...service_, purpose: StartPurpose.START_PURPOSE_CALL };
    const error = { ...service_, purpose: StartPurpose.START_PURPOSE_ERROR };
    const starts = await prepare(
      params(all?.id),
      params(all?.id, call),
      params(all?.id, error),
      params(onlyError?.id),
      params(onlyError?.id, error),
      params(onlyCall?.id),
      params(onlyCall?.id, call),
    );
    expect(starts.map(({ startNode }) => startNode)).toEqual([
      'Start',
      'Called',
      'Failed',
      'Failed',
      'Failed',
      'Called',
      'Called',
    ]);
  });

  it('stores an inline definition as a separate version, the same text once', async () => {
    const workflow = await create(node('Start', 'manualTrigger'));
    const inline = (definition: unknown) =>
      params(workflow?.id, {
        userId: '',
        role: '',
        purpose: StartPurpose.START_PURPOSE_CALL,
        definition: Buffer.from(JSON.stringify(definition)),
      });
    const definition = {
      nodes: [{ name: 'In', type: 'n8n-nodes-base.executeWorkflowTrigger', parameters: {} }],
      connections: {},
    };
    const [first, second] = (await Promise.all([prepare(inline(definition)), prepare(inline(definition))])).flat();
    expect(first).toMatchObject({ startNode: 'In', ownerId: 'u1' });
    expect(second?.versionId).toBe(first?.versionId);
    expect(await prepare(params(workflow?.id))).toMatchObject([{ versionId: workflow?.versionId, startNode: 'Start' }]);
    const { versions } = await service.fromExecutions.getVersions({ versionIds: [first?.versionId ?? ''] });
    expect(
      versions.map(({ workflowId, definition }) => [workflowId, JSON.parse(definition.toString()).nodes[0].name]),
    ).toEqual([[workflow?.id, 'In']]);
    const unknown = {
      nodes: [...definition.nodes, { name: 'X', type: 'n8n-nodes-base.nope' }],
      connections: { In: { main: [[{ node: 'X', type: 'main', index: 0 }]] } },
    };
    expect(await prepare(inline(unknown), inline({ nodes: 'x' }), inline([]))).toMatchObject([
      { reason: 'WORKFLOW_NOT_RUNNABLE', fields: [{ field: 'nodes[1].type' }] },
      { reason: 'INVALID_REQUEST' },
      { reason: 'INVALID_REQUEST' },
    ]);
  });

  it.each(['', 'x', 'x'.repeat(10_000), '{"$gt":""}'])('refuses the unknown id %j', async (workflowId) => {
    expect(await prepare(params(workflowId))).toMatchObject([{ reason: 'WORKFLOW_NOT_FOUND' }]);
  });

  it('refuses more than five hundred requests in one call', async () => {
    await expect(prepare(...Array.from({ length: 501 }, () => params('x')))).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'starts' }],
    });
  });

  it('is allowed to the executions service only', async () => {
    await expect(service.gateway.prepareStarts({ starts: [] })).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(service.fromRunner.prepareStarts({ starts: [] })).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });
});
