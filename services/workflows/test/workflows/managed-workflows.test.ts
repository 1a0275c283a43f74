import type { ManagementChange, Workflow } from '@weft/proto/workflows';
import { connectDatabase, type Database } from '@weft/service-kit/mongo';
import { testMongodbUri } from '@weft/service-kit/testing';
import { uuidv7 } from '@weft/service-kit/ids';
import { workflowModel } from '../../src/store/workflows/workflow-schema';
import { node, webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

const TYPE = 'httpHeaderAuth';
const CLI: ManagementChange = { by: 'cli', set: 'billing', source: 'flows/a.yaml' };

describe('a workflow with a key', () => {
  let service: TestService;
  let database: Database;
  const editor = () => service.as('u1', 'editor');
  const create = async (given: { key?: string; management?: ManagementChange }, nodes = [webhook(uuidv7())]) =>
    (await service.gateway.createWorkflow({ ...workflowOf(nodes), ...given }, editor())).workflow;
  const replace = async (
    workflow: Workflow | undefined,
    given: { key?: string; management?: ManagementChange } = {},
    nodes = [webhook(uuidv7())],
  ) =>
    (
      await service.gateway.replaceWorkflow(
        {
          workflowId: workflow?.id ?? '',
          definition: workflowOf(nodes).definition,
          ifVersionId: '',
          ifEtags: [],
          ...given,
        },
        editor(),
      )
    ).workflow;
  const list = async (filter: object, who = editor()) =>
    (await service.gateway.listWorkflows({ limit: 100, cursor: '', summary: true, ...filter }, who)).workflows;
  const idsOf = async (filter: object, who = editor()) => (await list(filter, who)).map(({ id }) => id);

  const projectId = uuidv7();

  beforeAll(async () => {
    service = await startService();
    service.destinations.add(projectId);
    service.projects.closed.add(projectId);
    database = await connectDatabase(testMongodbUri(), service.database);
  });
  afterAll(async () => {
    await database.close();
    await service.stop();
  });
  afterEach(() => void (service.credentials.stored.length = 0));

  it('is found by it, and keeps it when others replace it', async () => {
    const workflow = await create({ key: 'billing/a' });
    expect(workflow?.key).toBe('billing/a');
    expect(await idsOf({ key: 'billing/a' })).toEqual([workflow?.id]);
    expect((await replace(workflow))?.key).toBe('billing/a');
    expect((await replace(workflow, { key: 'billing/b' }))?.key).toBe('billing/b');
    expect([await idsOf({ key: 'billing/a' }), await idsOf({ key: 'billing/b' })]).toEqual([[], [workflow?.id]]);
    expect((await replace(workflow, { key: '' }))?.key).toBeUndefined();
    expect(await idsOf({ key: 'billing/b' })).toEqual([]);
  });

  it('shares it with no other workflow of any owner', async () => {
    const workflow = await create({ key: 'taken' });
    const refusal = {
      reason: 'WORKFLOW_KEY_TAKEN',
      kind: 'conflict',
      details: { key: 'taken', workflowId: workflow?.id },
    };
    await expect(create({ key: 'taken' })).rejects.toMatchObject(refusal);
    await expect(replace(await create({}), { key: 'taken' })).rejects.toMatchObject(refusal);
    expect((await replace(workflow, { key: 'taken' }))?.key).toBe('taken');
    const both = await Promise.allSettled([create({ key: 'raced' }), create({ key: 'raced' })]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('frees it when it is deleted, also by an earlier release', async () => {
    const first = await create({ key: 'freed' });
    await service.gateway.deleteWorkflow({ workflowId: first?.id ?? '', ifEtags: [] }, editor());
    const second = await create({ key: 'freed' });
    await workflowModel(database.connection).updateOne({ _id: second?.id ?? '' }, { $set: { isDeleted: true } });
    expect(await create({ key: 'freed' })).toMatchObject({ key: 'freed' });
  });

  it('is not named to callers who cannot see it', async () => {
    const member = service.as('member', 'editor', projectId);
    await service.gateway.createWorkflow({ ...workflowOf([webhook(uuidv7())]), projectId, key: 'hidden' }, member);
    await expect(create({ key: 'hidden' })).rejects.toMatchObject({
      reason: 'WORKFLOW_KEY_TAKEN',
      details: { key: 'hidden' },
      message: expect.stringContaining('closed project'),
    });
    expect(await idsOf({ key: 'hidden' })).toEqual([]);
  });

  it.each(['', 'A', '.a', '-a', 'a b', 'ü', 'a'.repeat(251)])('does not accept %j', async (key) => {
    await expect(create({ key })).rejects.toMatchObject({ reason: 'INVALID_REQUEST', fields: [{ field: 'key' }] });
    await expect(list({ key })).rejects.toMatchObject({ fields: [{ field: 'key' }] });
  });

  describe('that is managed', () => {
    it('has drifted after any other write, and not after that of its manager', async () => {
      const created = await create({ management: CLI });
      const appliedTo = ({ managed, versionId }: Workflow) => managed?.appliedVersionId === versionId;
      expect(created?.managed).toMatchObject({ ...CLI, appliedVersionId: created?.versionId });
      expect(created?.managed?.appliedAt).toBeInstanceOf(Date);
      const edited = await replace(created);
      expect(edited?.managed).toEqual(created?.managed);
      expect(edited !== undefined && appliedTo(edited)).toBe(false);
      const applied = await replace(created, { management: { ...CLI, set: 'other' } });
      expect(applied?.managed).toMatchObject({ by: 'cli', set: 'other' });
      expect(applied !== undefined && appliedTo(applied)).toBe(true);
      const ended = { by: '', set: '', source: '' };
      expect((await replace(created, { management: ended }))?.managed).toBeUndefined();
    });

    it('has not drifted when its activation links credentials, and has the hash of a check', async () => {
      const nodes = [
        webhook('managed-later'),
        node(
          'Call',
          'httpRequest',
          { url: 'http://x', authentication: 'genericCredentialType', genericAuthType: TYPE },
          { typeVersion: 4.2, credentials: { [TYPE]: { name: 'later' } } },
        ),
      ];
      const created = await create({ management: CLI }, nodes);
      service.credentials.stored.push({ id: uuidv7(), type: TYPE, name: 'later', ownerId: 'u1' });
      const call = { workflowId: created?.id ?? '', ifEtags: [] };
      const { workflow } = await service.gateway.activateWorkflow(call, editor());
      expect(workflow?.versionId).not.toBe(created?.versionId);
      expect(workflow?.managed?.appliedVersionId).toBe(workflow?.versionId);
      const { definition } = workflowOf(nodes);
      const { checked } = await service.gateway.checkDefinitions(
        { definitions: [definition], credentials: {} },
        editor(),
      );
      expect(workflow?.definitionHash).toBe(checked[0]?.hash);
      expect(workflow?.definitionHash).not.toBe(created?.definitionHash);
    });

    it('is listed by manager and by set', async () => {
      const one = await create({ management: { ...CLI, set: 'set-a' } });
      const other = await create({ management: { by: 'kubernetes', set: 'set-b', source: '' } });
      expect(await idsOf({ set: 'set-a' })).toEqual([one?.id]);
      expect(await idsOf({ set: 'set-a', managedBy: 'kubernetes' })).toEqual([]);
      expect(await idsOf({ managedBy: 'kubernetes' })).toEqual([other?.id]);
      await service.gateway.deleteWorkflow({ workflowId: one?.id ?? '', ifEtags: [] }, editor());
      expect(await idsOf({ set: 'set-a' })).toEqual([]);
    });

    it.each([
      ['managedBy', { by: '', set: 'a', source: '' }],
      ['managedBy', { by: 'argo', set: '', source: '' }],
      ['set', { ...CLI, set: 'a'.repeat(251) }],
      ['source', { ...CLI, source: 'a\nb' }],
    ])('does not accept a wrong %s', async (field, management) => {
      await expect(create({ management })).rejects.toMatchObject({ fields: [{ field }] });
    });
  });

  it('has no hash after a write of an earlier release', async () => {
    const workflow = await create({ key: 'older' });
    expect((await list({ key: 'older' }))[0]?.definitionHash).toBe(workflow?.definitionHash);
    await workflowModel(database.connection).updateOne({ _id: workflow?.id ?? '' }, { $set: { versionId: uuidv7() } });
    expect((await list({ key: 'older' }))[0]?.definitionHash).toBeUndefined();
  });
});

describe('the list of workflows', () => {
  let service: TestService;
  const editor = () => service.as('u1', 'editor');
  const create = (name: string, active = false) =>
    service.gateway.createWorkflow(workflowOf([webhook(uuidv7())], { active, name }), editor());
  const namesOf = async (filter: object) =>
    (await service.gateway.listWorkflows({ limit: 100, cursor: '', summary: true, ...filter }, editor())).workflows.map(
      ({ name }) => name,
    );

  beforeAll(async () => {
    service = await startService();
    await create('Order Sync');
    await create('order (new)', true);
    await create('Ärger.*');
  });
  afterAll(() => service.stop());

  it.each([
    [{ search: 'ORDER' }, ['order (new)', 'Order Sync']],
    [{ search: '(NEW' }, ['order (new)']],
    [{ search: 'är' }, ['Ärger.*']],
    [{ search: '.*' }, ['Ärger.*']],
    [{ search: '' }, ['Ärger.*', 'order (new)', 'Order Sync']],
    [{ active: true }, ['order (new)']],
    [{ active: false, search: 'order' }, ['Order Sync']],
  ])('is filtered by %j', async (filter, names) => {
    expect(await namesOf(filter)).toEqual(names);
  });

  it('continues with the same filter only', async () => {
    const page = { limit: 1, cursor: '', summary: true };
    const { nextCursor } = await service.gateway.listWorkflows({ ...page, search: 'order' }, editor());
    const next = { ...page, cursor: nextCursor };
    expect((await service.gateway.listWorkflows({ ...next, search: 'order' }, editor())).workflows).toMatchObject([
      { name: 'Order Sync' },
    ]);
    await expect(service.gateway.listWorkflows({ ...next, search: 'sync' }, editor())).rejects.toMatchObject({
      fields: [{ field: 'cursor' }],
    });
    await expect(namesOf({ search: 'a'.repeat(201) })).rejects.toMatchObject({ fields: [{ field: 'search' }] });
  });
});
