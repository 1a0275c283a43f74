import { BackfillState } from '@weft/proto/schedules';
import { uuidv7 } from '@weft/service-kit/ids';
import { connectDatabase } from '@weft/service-kit/mongo';
import { testMongodbUri } from '@weft/service-kit/testing';
import { createWorkflowStore } from '../../src/store/workflows/workflow-store';
import { node, webhook, workflowOf } from '../support/definitions';
import { OFTEN, startService, type TestService } from '../support/start-service';

describe('OwnershipService', () => {
  let service: TestService;
  const from = uuidv7();
  const to = uuidv7();
  const as = (userId: string) => service.as(userId, 'editor');
  const ownerOf = async (workflowId: string) =>
    (await service.gateway.getWorkflow({ workflowId, knownEtags: [] }, as(to))).workflow?.ownerId;
  const make = async (userId: string, name: string) => ({
    workflow:
      (await service.gateway.createWorkflow(workflowOf([node('Set', 'set')], { name }), as(userId))).workflow?.id ?? '',
    variable: (await service.variables.createVariable({ key: name, value: 'v' }, as(userId))).variable?.id ?? '',
    table:
      (
        await service.dataTables.createDataTable(
          { name, columns: [{ name: 'a', type: 'string' }], shared: false },
          as(userId),
        )
      ).dataTable?.id ?? '',
  });

  beforeAll(async () => {
    service = await startService(OFTEN);
  });
  afterAll(() => service.stop());

  it('counts and moves what one user owns, and nothing else', async () => {
    const [moved, other] = [await make(from, 'moved'), await make('someone', 'other')];
    expect(await service.ownership.countOwned({ ownerId: from })).toEqual({
      workflows: 1,
      variables: 1,
      dataTables: 1,
    });
    await service.ownership.transferOwnership({ fromOwnerId: from, toOwnerId: to });
    expect(await service.ownership.countOwned({ ownerId: from })).toEqual({
      workflows: 0,
      variables: 0,
      dataTables: 0,
    });
    expect([await ownerOf(moved.workflow), await ownerOf(other.workflow)]).toEqual([to, 'someone']);
    // The new owner may change what it got, the old one no longer.
    await service.variables.replaceVariable({ variableId: moved.variable, key: 'moved', value: 'w' }, as(to));
    await service.dataTables.deleteDataTable({ dataTableId: moved.table }, as(to));
    await expect(
      service.gateway.deleteWorkflow({ workflowId: moved.workflow, ifEtags: [] }, as(from)),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });

  it('deactivates inherited workflows: neither webhooks, schedules nor backfills start runs', async () => {
    const [leaver, heir] = [uuidv7(), uuidv7()];
    const schedule = node('Clock', 'scheduleTrigger', { rule: { interval: [{ field: 'hours' }] } });
    const made = await service.gateway.createWorkflow(
      workflowOf([webhook('inherited'), schedule], { active: true, connections: {} }),
      service.as(leaver, 'editor'),
    );
    const workflowId = made.workflow?.id ?? '';
    const days = 86_400_000;
    await service.schedules.startBackfill(
      { workflowId, node: '', from: new Date(Date.now() - 20 * days), to: new Date(), concurrency: 1, dryRun: false },
      service.as(leaver, 'editor'),
    );
    await service.ownership.transferOwnership({ fromOwnerId: leaver, toOwnerId: heir });
    const { workflow } = await service.gateway.getWorkflow({ workflowId, knownEtags: [] }, as(heir));
    expect(workflow).toMatchObject({ ownerId: heir, active: false });
    const { webhooks } = await service.gateway.resolveWebhooks({
      addresses: [{ method: 'POST', path: 'inherited' }],
    });
    expect(webhooks[0]?.found).toBe(false);
    const { backfills } = await service.schedules.listBackfills({ workflowId }, as(heir));
    expect(backfills.map(({ state }) => state)).toEqual([BackfillState.BACKFILL_STATE_CANCELLED]);
    // Its new owner decides whether it runs.
    await service.gateway.activateWorkflow({ workflowId, ifEtags: [] }, as(heir));
  });

  it('says who owns a workflow', async () => {
    const { workflow } = await make('someone', 'owned');
    expect(await service.ownership.getWorkflowOwner({ workflowId: workflow })).toEqual({ ownerId: 'someone' });
    for (const workflowId of [uuidv7(), 'nonsense'])
      await expect(service.ownership.getWorkflowOwner({ workflowId })).rejects.toMatchObject({
        reason: 'WORKFLOW_NOT_FOUND',
      });
  });

  it('does not count deleted workflows', async () => {
    const { workflow } = await make(to, 'deleted');
    const before = (await service.ownership.countOwned({ ownerId: to })).workflows;
    await service.gateway.deleteWorkflow({ workflowId: workflow, ifEtags: [] }, as(to));
    expect((await service.ownership.countOwned({ ownerId: to })).workflows).toBe(before - 1);
  });

  describe('TransferOne', () => {
    const project = uuidv7();
    const user = { userId: from, role: 'editor', projectIds: [] };
    const things = async (userId: string, name: string) => {
      const { workflow, variable, table } = await make(userId, name);
      return [
        { $case: 'workflowId', value: workflow },
        { $case: 'variableId', value: variable },
        { $case: 'dataTableId', value: table },
      ] as const;
    };

    it('gives an object of each kind to a project, whose members may change it instead of its owner', async () => {
      const moved = await things(from, 'project_a');
      const other = await make(from, 'project_b');
      for (const thing of moved) await service.ownership.transferOne({ thing, toOwnerId: project, ...user });
      expect(await service.ownership.countOwned({ ownerId: project })).toEqual({
        workflows: 1,
        variables: 1,
        dataTables: 1,
      });
      expect(await ownerOf(other.workflow)).toBe(from);
      const [workflow, variable, table] = moved;
      const member = service.as('member', 'editor', project);
      const change = [
        (caller: typeof member) =>
          service.gateway.deactivateWorkflow({ workflowId: workflow.value, ifEtags: [] }, caller),
        (caller: typeof member) =>
          service.variables.replaceVariable({ variableId: variable.value, key: 'project_a', value: 'w' }, caller),
        (caller: typeof member) => service.dataTables.deleteDataTable({ dataTableId: table.value }, caller),
      ];
      for (const attempt of change) {
        await expect(attempt(as(from))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
        await expect(attempt(service.as('member', 'editor', uuidv7()))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
        await expect(attempt(service.as('member', 'viewer', project))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
        await expect(attempt(member)).resolves.toBeDefined();
      }
    });

    it('deactivates a workflow that names a credential it may not use, and no other', async () => {
      const [allowed, lost] = [uuidv7(), uuidv7()];
      const moved = async (path: string, credentialId: string): Promise<boolean | undefined> => {
        const credentials = { httpHeaderAuth: { id: credentialId, name: 'k' } };
        const nodes = [webhook(path), node('Http', 'httpRequest', { url: 'https://a.test' }, { credentials })];
        const made = await service.gateway.createWorkflow(workflowOf(nodes, { active: true }), as(from));
        const workflowId = made.workflow?.id ?? '';
        service.credentials.refused.set(lost, 'revoked');
        const thing = { $case: 'workflowId', value: workflowId } as const;
        await service.ownership.transferOne({ thing, toOwnerId: project, ...user });
        service.credentials.refused.clear();
        return (await service.gateway.getWorkflow({ workflowId, knownEtags: [] }, as(from))).workflow?.active;
      };
      expect(await moved('moved-a', allowed)).toBe(true);
      expect(await moved('moved-b', lost)).toBe(false);
    });

    it('is refused for objects of others, for missing ones, and to viewers', async () => {
      const own = await things(from, 'project_c');
      const stranger = { ...user, userId: uuidv7() };
      const viewer = { ...user, role: 'viewer' };
      for (const thing of own)
        for (const refused of [stranger, viewer])
          await expect(service.ownership.transferOne({ thing, toOwnerId: project, ...refused })).rejects.toMatchObject({
            reason: 'FORBIDDEN',
          });
      const reasons = ['WORKFLOW_NOT_FOUND', 'VARIABLE_NOT_FOUND', 'DATA_TABLE_NOT_FOUND'];
      for (const [index, { $case }] of own.entries())
        for (const value of [uuidv7(), 'nothing'])
          await expect(
            service.ownership.transferOne({ thing: { $case, value }, toOwnerId: project, ...user }),
          ).rejects.toMatchObject({ reason: reasons[index] });
    });

    it('makes a concurrent change that read the former owner fail', async () => {
      const { workflow } = await make(from, 'project_d');
      const database = await connectDatabase(testMongodbUri(), service.database);
      const store = createWorkflowStore(database.connection);
      const seen = await store.find(workflow);
      if (seen === undefined) throw new Error('The workflow is not in the store.');
      await service.ownership.transferOne({
        thing: { $case: 'workflowId', value: workflow },
        toOwnerId: project,
        ...user,
      });
      expect(await store.update(seen, { ...seen, name: 'late', updatedAt: new Date() })).toBe('stale');
      await database.close();
      expect(await ownerOf(workflow)).toBe(project);
    });
  });

  it('lists the workflows whose current version uses a credential', async () => {
    const [used, other] = [uuidv7(), uuidv7()];
    const naming = (credentialId: string, name: string) =>
      workflowOf(
        [
          node('A', 'httpRequest', {}, { credentials: { httpHeaderAuth: { id: credentialId, name: 'c' } } }),
          node('B', 'httpRequest', {}, { credentials: { httpHeaderAuth: { id: credentialId, name: 'c' } } }),
        ],
        { name },
      );
    const create = async (name: string) =>
      (await service.gateway.createWorkflow(naming(used, name), as(to))).workflow?.id ?? '';
    const [kept, replaced, deleted] = [await create('kept'), await create('replaced'), await create('deleted')];
    const { definition } = naming(other, 'replaced');
    await service.gateway.replaceWorkflow({ workflowId: replaced, ifVersionId: '', ifEtags: [], definition }, as(to));
    await service.gateway.deleteWorkflow({ workflowId: deleted, ifEtags: [] }, as(to));
    const list = async (credentialId: string) =>
      (await service.ownership.listCredentialWorkflows({ credentialId, ownerId: 'u1', grantedProjectIds: [] }))
        .workflows;
    expect(await list(used)).toEqual([{ id: kept, name: 'kept' }]);
    expect(await list(other)).toEqual([{ id: replaced, name: 'replaced' }]);
    expect(await list(uuidv7())).toEqual([]);
    const many = await Promise.all(Array.from({ length: 25 }, (_, index) => create(`many ${index}`)));
    expect(many).toHaveLength(25);
    expect(await list(used)).toHaveLength(20);
  });

  it('refuses a new owner who cannot exist, and the gateway', async () => {
    await expect(service.ownership.transferOwnership({ fromOwnerId: to, toOwnerId: 'nobody' })).rejects.toMatchObject({
      fields: [{ field: 'to_owner_id' }],
    });
    await expect(service.ownershipFromGateway.countOwned({ ownerId: to })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
  });
});
