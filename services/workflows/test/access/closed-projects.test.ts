import { DeliveryState } from '@weft/proto/deliveries';
import type { Principal } from '@weft/service-kit/auth';
import type { CredentialManager } from '@weft/proto/ownership';
import { uuidv7 } from '@weft/service-kit/ids';
import { CLOSED_PROJECTS_LEASE_MS } from '@weft/service-kit/visibility';
import { node, webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

type Caller = { readonly principal: Principal };

const FORBIDDEN = { reason: 'FORBIDDEN' };
const project = uuidv7();
const stranger: Caller = { principal: { userId: 'stranger', role: 'editor' } };
const member: Caller = { principal: { userId: 'member', role: 'viewer', reads: [project] } };
const editor: Caller = { principal: { userId: 'editor', role: 'editor', projects: [project] } };
const admin: Caller = { principal: { userId: 'admin', role: 'admin' } };
/** Runs that act for owners other than the project. */
const runs: readonly Caller[] = [
  { principal: { userId: 'admin', role: 'admin', inRun: true } },
  { principal: { userId: 'editor', role: 'editor', projects: [project], inRun: true } },
];
const ownRun: Caller = { principal: { userId: project, role: 'editor', inRun: true } };

describe('an object of a closed project', () => {
  let service: TestService;
  let workflowId = '';
  let variableId = '';
  let dataTableId = '';
  let deliveryId = '';

  const setClosed = async (closed: boolean): Promise<void> => {
    if (closed) service.projects.closed.add(project);
    else service.projects.closed.delete(project);
    await new Promise((resolve) => setTimeout(resolve, CLOSED_PROJECTS_LEASE_MS));
  };
  const page = { limit: 100, cursor: '' };
  const filter = { matchAll: true, conditions: [] };

  beforeAll(async () => {
    service = await startService();
    service.destinations.add(project);
    await setClosed(true);
    const { gateway, variables, dataTables, deliveries } = service;
    const file = workflowOf([webhook('closed-path'), node('End', 'noOp')], { name: 'closed one', active: true });
    const { workflow } = await gateway.createWorkflow({ ...file, projectId: project }, editor);
    workflowId = workflow?.id ?? '';
    const made = await variables.createVariable({ key: 'closed_key', value: 'v', projectId: project }, editor);
    variableId = made.variable?.id ?? '';
    const table = { name: 'closed', columns: [{ name: 'a', type: 'string' }], shared: true, claim: undefined };
    dataTableId = (await dataTables.createDataTable({ ...table, projectId: project }, editor)).dataTable?.id ?? '';
    deliveryId = uuidv7();
    await deliveries.storeDelivery({
      start: {
        executionId: deliveryId,
        workflowId,
        versionId: workflow?.versionId ?? '',
        ownerId: project,
        node: 'Hook',
        input: Buffer.from('[{"json":{}}]'),
        idempotencyKey: '',
      },
      method: 'POST',
      path: 'closed-path',
      reason: 'SERVICE_UNAVAILABLE',
      message: 'down',
    });
  });
  afterAll(() => service.stop());

  /** Every read of a single object. */
  const reads = (): readonly (readonly [string, (caller: Caller) => Promise<unknown>])[] => [
    ['a workflow', (caller) => service.gateway.getWorkflow({ workflowId, knownEtags: [] }, caller)],
    ['its schedule', (caller) => service.schedules.previewSchedule({ workflowId, count: 1 }, caller)],
    ['its backfills', (caller) => service.schedules.listBackfills({ workflowId }, caller)],
    ['a data table', (caller) => service.dataTables.getDataTable({ dataTableId, name: '', claim: undefined }, caller)],
    [
      'one by name',
      (caller) => service.dataTables.getDataTable({ dataTableId: '', name: 'closed', claim: undefined }, caller),
    ],
    [
      'its rows',
      (caller) =>
        service.dataTables.queryRows(
          { dataTableId, filter, orderBy: '', descending: false, claim: undefined, ...page },
          caller,
        ),
    ],
    ['a delivery', (caller) => service.deliveries.getDelivery({ deliveryId }, caller)],
  ];
  const lists = (): readonly (readonly [string, (caller: Caller, projectId?: string) => Promise<string[]>])[] => {
    const of = (projectId: string | undefined) => (projectId === undefined ? {} : { projectId });
    const { gateway, variables, dataTables, deliveries } = service;
    return [
      [
        workflowId,
        async (caller, projectId) =>
          (await gateway.listWorkflows({ ...page, ...of(projectId), summary: false }, caller)).workflows.map(
            ({ id }) => id,
          ),
      ],
      [
        variableId,
        async (caller, projectId) =>
          (await variables.listVariables({ ...page, ...of(projectId) }, caller)).variables.map(({ id }) => id),
      ],
      [
        dataTableId,
        async (caller, projectId) =>
          (await dataTables.listDataTables({ ...page, ...of(projectId), claim: undefined }, caller)).dataTables.map(
            ({ id }) => id,
          ),
      ],
      [
        deliveryId,
        async (caller) =>
          (
            await deliveries.listDeliveries(
              { ...page, workflowId: '', state: DeliveryState.DELIVERY_STATE_UNSPECIFIED },
              caller,
            )
          ).deliveries.map(({ id }) => id),
      ],
    ];
  };

  it('is refused to others by its id, and readable by members, admins and its own runs', async () => {
    for (const [, read] of reads()) {
      for (const caller of [stranger, ...runs]) await expect(read(caller)).rejects.toMatchObject(FORBIDDEN);
      for (const caller of [member, editor, admin, ownRun]) await read(caller);
    }
  });

  it('is left out of the lists of others, which still show their own objects', async () => {
    const { workflow } = await service.gateway.createWorkflow(workflowOf([node('End', 'noOp')]), stranger);
    for (const [id, list] of lists()) {
      for (const caller of [stranger, ...runs]) {
        expect(await list(caller)).not.toContain(id);
        if (id !== deliveryId) expect(await list(caller, project)).toEqual([]);
      }
      for (const caller of [member, editor, admin, ownRun]) expect(await list(caller)).toContain(id);
    }
    const [[, workflows] = ['', () => Promise.resolve([''])]] = lists();
    expect(await workflows(stranger)).toContain(workflow?.id);
  });

  it('is refused to some concurrent callers and returned to others', async () => {
    const callers = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? stranger : member));
    const answers = await Promise.allSettled(
      callers.map((caller) => service.gateway.getWorkflow({ workflowId, knownEtags: [] }, caller)),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      callers.map((caller) => (caller === member ? 'fulfilled' : 'rejected')),
    );
  });

  it('is not reported as unchanged to callers who still have its etag', async () => {
    const { workflow } = await service.gateway.getWorkflow({ workflowId, knownEtags: [] }, member);
    const asked = { workflowId, knownEtags: [workflow?.etag ?? ''] };
    expect((await service.gateway.getWorkflow(asked, member)).notModified).toBe(true);
    await expect(service.gateway.getWorkflow(asked, stranger)).rejects.toMatchObject(FORBIDDEN);
  });

  it("cannot be changed by others, even if it is shared, nor by an admin's run", async () => {
    const rows = { dataTableId, valuesJson: ['{"a":"x"}'], operationId: '', claim: undefined };
    const change = { dataTableId, filter, valuesJson: '{"a":"y"}', operationId: '', claim: undefined };
    const writes: readonly ((caller: Caller) => Promise<unknown>)[] = [
      (caller) => service.gateway.deleteWorkflow({ workflowId, ifEtags: [] }, caller),
      (caller) => service.gateway.activateWorkflow({ workflowId, ifEtags: [] }, caller),
      (caller) => service.variables.replaceVariable({ variableId, key: 'closed_key', value: 'w' }, caller),
      (caller) => service.variables.deleteVariable({ variableId }, caller),
      (caller) => service.dataTables.insertRows(rows, caller),
      (caller) => service.dataTables.updateRows(change, caller),
      (caller) => service.dataTables.deleteDataTable({ dataTableId, claim: undefined }, caller),
      (caller) => service.deliveries.deleteDelivery({ deliveryId }, caller),
    ];
    for (const write of writes)
      for (const caller of [stranger, ...runs]) await expect(write(caller)).rejects.toMatchObject(FORBIDDEN);
    const made = { ...workflowOf([node('End', 'noOp')]), projectId: project };
    for (const caller of runs)
      await expect(service.gateway.createWorkflow(made, caller)).rejects.toMatchObject(FORBIDDEN);
  });

  it('is not named to callers whose webhook path it holds', async () => {
    const file = workflowOf([webhook('closed-path'), node('End', 'noOp')], { active: true });
    const refused = await service.gateway.createWorkflow(file, stranger).catch((error: unknown) => error);
    expect(refused).toMatchObject({ reason: 'WEBHOOK_PATH_TAKEN', details: { path: 'closed-path' } });
    expect(JSON.stringify(refused)).not.toContain(workflowId);
    await expect(service.gateway.createWorkflow(file, editor)).rejects.toMatchObject({ details: { workflowId } });
  });

  it('is not named to managers of a credential that its workflow uses, but is to its members', async () => {
    const credentialId = uuidv7();
    const credentials = { httpHeaderAuth: { id: credentialId, name: 'c' } };
    const file = workflowOf([node('Call', 'httpRequest', { url: 'http://x.invalid' }, { credentials })]);
    const { workflow } = await service.gateway.createWorkflow({ ...file, projectId: project }, editor);
    const naming = async (ownerId: string, grantedProjectIds: string[] = [], manager?: CredentialManager) => {
      const question = { credentialId, ownerId, grantedProjectIds, ...(manager === undefined ? {} : { manager }) };
      const { workflows, hasHidden } = await service.ownership.listCredentialWorkflows(question);
      return { ids: workflows.map(({ id }) => id), hasHidden };
    };
    const shown = { ids: [workflow?.id], hasHidden: false };
    const nothing = { ids: [], hasHidden: false };
    expect(await naming('stranger')).toEqual(nothing);
    expect(await naming(project)).toEqual(shown);
    // If the credential is granted to the project, its workflows count, and are named to callers who can see them.
    const manager = { userId: 'stranger', role: 'editor', projectIds: [], readProjectIds: [], inRun: false };
    const hidden = { ids: [], hasHidden: true };
    expect(await naming('stranger', [project])).toEqual(hidden);
    expect(await naming('stranger', [project], manager)).toEqual(hidden);
    expect(await naming('stranger', [project], { ...manager, role: 'admin', inRun: true })).toEqual(hidden);
    expect(await naming('stranger', [project], { ...manager, readProjectIds: [project] })).toEqual(shown);
    expect(await naming('stranger', [project], { ...manager, role: 'admin' })).toEqual(shown);
    // A caller who sees the workflow learns nothing about one that cannot use the credential.
    expect(await naming('stranger', [], { ...manager, role: 'admin' })).toEqual(nothing);
  });

  it("is visible only to runs of the project's workflows: variables and tables, even a shared one", async () => {
    const valuesFor = async (ownerId: string) => {
      const executionId = uuidv7();
      service.executions.setClaim(executionId, { fence: 1, workflowId, ownerId });
      return (await service.variablesForRuns.readVariables({ executionId, fence: 1 })).values;
    };
    await service.variables.createVariable({ key: 'open_key', value: 'o' }, stranger);
    expect(await valuesFor('stranger')).toEqual({ open_key: 'o' });
    expect(await valuesFor(project)).toEqual({ open_key: 'o', closed_key: 'v' });
    const rowsFor = async (ownerId: string) => {
      const executionId = uuidv7();
      service.executions.setClaim(executionId, { fence: 1, workflowId, ownerId });
      const claim = { executionId, fence: 1 };
      return service.dataTablesForRuns.queryRows({
        dataTableId,
        filter,
        orderBy: '',
        descending: false,
        claim,
        ...page,
      });
    };
    for (const ownerId of ['stranger', 'editor', 'admin'])
      await expect(rowsFor(ownerId)).rejects.toMatchObject(FORBIDDEN);
    expect((await rowsFor(project)).rows).toEqual([]);
  });

  it('is readable by all once the project is open, and hidden again when it is closed, at each replica', async () => {
    const other = await service.addReplica();
    const get = (at: typeof other) => at.getWorkflow({ workflowId, knownEtags: [] }, stranger);
    for (let round = 0; round < 2; round += 1) {
      await setClosed(false);
      for (const at of [service.gateway, other]) expect((await get(at)).workflow?.id).toBe(workflowId);
      await setClosed(true);
      for (const at of [service.gateway, other]) await expect(get(at)).rejects.toMatchObject(FORBIDDEN);
    }
  });
});
