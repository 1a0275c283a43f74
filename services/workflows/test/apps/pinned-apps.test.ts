import { readDefinitionForRuns } from '@weft/node-catalogue';
import type { JsonObject } from '@weft/service-kit/json';
import { uuidv7 } from '@weft/service-kit/ids';
import { startService, type TestService } from '../support/start-service';
import { bytesOf, ERP_TYPE, erpApp, erpKind } from '../support/app-documents';
import { definitionOf, node, webhook, workflowOf } from '../support/definitions';

const LINKED = { credentials: { httpBearerAuth: { id: '', name: 'ERP' } } };

/** A node of the app. */
const erp = (extra: object = {}): object => ({
  ...node('Order', 'x', { id: '7' }, { ...LINKED, ...extra }),
  type: ERP_TYPE,
});

const hooked = (path: string, extra: object = {}) => workflowOf([webhook(path), erp(extra)]);

describe('the revision of an app that a workflow uses', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startService();
    service.credentials.stored.push({ id: uuidv7(), name: 'ERP', type: 'httpBearerAuth', ownerId: 'u1' });
  });
  afterEach(() => service.stop());
  const admin = () => service.as('u1', 'admin');
  const put = async (document: JsonObject = erpApp()): Promise<string> =>
    (await service.apps.putApp({ name: 'erp', document: bytesOf(document) }, admin())).app?.digest ?? '';
  const next = () => put(erpApp({ kinds: { [ERP_TYPE]: erpKind([1, 2], '/orders/v2') } }));
  const create = async (path: string, active = true, extra: object = {}) => {
    const { workflow } = await service.gateway.createWorkflow({ ...hooked(path, extra), active }, admin());
    if (workflow === undefined) throw new Error('no workflow');
    return workflow;
  };
  /** The definition that a run gets. */
  const ofRun = async (versionId: string) => {
    const { versions } = await service.fromExecutions.getVersions({ versionIds: [versionId] });
    return readDefinitionForRuns(versions[0]?.definition.toString() ?? '');
  };
  const pinOf = async (versionId: string) => (await ofRun(versionId)).apps?.map(({ digest }) => digest);

  it('goes with the definition to runs, reduced to its kinds, and not to users', async () => {
    const digest = await put(erpApp({ kinds: { [ERP_TYPE]: erpKind(), erpOther: erpKind() } }));
    const workflow = await create('a');
    expect(workflow.active).toBe(true);
    expect(workflow.definition.toString()).not.toContain('weftApps');
    const { apps: [app] = [] } = await ofRun(workflow.versionId);
    expect(app).toMatchObject({ name: 'erp', digest, kinds: [ERP_TYPE] });
    expect(Object.keys(JSON.parse(app?.json ?? '{}').kinds)).toEqual([ERP_TYPE]);
    const version = { workflowId: workflow.id, versionId: workflow.versionId };
    expect((await service.gateway.getWorkflowVersion(version, admin())).definition.toString()).not.toContain(
      'weftApps',
    );
  });

  it('goes with a definition that has only a tool of its kind', async () => {
    const digest = await put();
    const draft = workflowOf([
      { id: '1', ...webhook('a') },
      { id: '2', ...erp(), type: `${ERP_TYPE}Tool` },
    ]).definition;
    const { workflow } = await service.gateway.createWorkflow({ definition: draft, active: false }, admin());
    const { apps: [app] = [] } = await ofRun(workflow?.versionId ?? '');
    expect(app).toMatchObject({ digest, kinds: [ERP_TYPE] });
  });

  it('stays while the workflow is active, until it is saved or activated again', async () => {
    const first = await put();
    const saved = await create('a');
    const activated = await create('b');
    const second = await next();
    for (const { versionId } of [saved, activated]) expect(await pinOf(versionId)).toEqual([first]);
    await service.gateway.activateWorkflow({ workflowId: saved.id, ifEtags: [] }, admin());
    const { workflow: unchanged } = await service.gateway.getWorkflow(
      { workflowId: saved.id, knownEtags: [] },
      admin(),
    );
    expect(unchanged?.versionId).toBe(saved.versionId);

    const { definition } = saved;
    const replaced = await service.gateway.replaceWorkflow(
      { workflowId: saved.id, definition, ifVersionId: '', ifEtags: [] },
      admin(),
    );
    expect(await pinOf(replaced.workflow?.versionId ?? '')).toEqual([second]);

    await service.gateway.deactivateWorkflow({ workflowId: activated.id, ifEtags: [] }, admin());
    const again = await service.gateway.activateWorkflow({ workflowId: activated.id, ifEtags: [] }, admin());
    expect(await pinOf(again.workflow?.versionId ?? '')).toEqual([second]);
    expect(await pinOf(activated.versionId)).toEqual([first]);
  });

  it('resolves the version of a node that sets none, as other kinds do', async () => {
    await put();
    const { id, versionId } = await create('a');
    await next();
    expect((await ofRun(versionId)).nodes[1]?.typeVersion).toBe(1);
    await service.gateway.deactivateWorkflow({ workflowId: id, ifEtags: [] }, admin());
    const { workflow } = await service.gateway.activateWorkflow({ workflowId: id, ifEtags: [] }, admin());
    expect((await ofRun(workflow?.versionId ?? '')).nodes[1]?.typeVersion).toBe(1);
  });

  it('is the first one if the app is added after the workflow', async () => {
    const { workflow, warnings } = await service.gateway.createWorkflow({ ...hooked('a'), active: true }, admin());
    expect(warnings.map(({ message }) => message).join()).toContain('add an app that provides this type');
    const workflowId = workflow?.id ?? '';
    await expect(service.gateway.activateWorkflow({ workflowId, ifEtags: [] }, admin())).rejects.toMatchObject({
      reason: 'WORKFLOW_NOT_RUNNABLE',
    });
    const digest = await put();
    const activated = await service.gateway.activateWorkflow({ workflowId, ifEtags: [] }, admin());
    expect(activated.workflow?.active).toBe(true);
    expect(await pinOf(activated.workflow?.versionId ?? '')).toEqual([digest]);
  });

  it('of drafts is the current one', async () => {
    const first = await put();
    const { id } = await create('a', false);
    const draft = workflowOf([
      { id: '1', ...webhook('a') },
      { id: '2', ...erp() },
    ]).definition;
    const start = async () => {
      const { results } = await service.fromExecutions.prepareStarts({
        starts: [
          {
            workflowId: id,
            startNode: 'Hook',
            userId: 'u1',
            role: 'admin',
            projectIds: [],
            definition: draft,
            plan: { destinationNode: '' },
          },
        ],
      });
      const { result } = results[0] ?? {};
      return result?.$case === 'prepared' ? result.value.versionId : JSON.stringify(results);
    };
    const one = await start();
    expect(await start()).toBe(one);
    expect(await pinOf(one)).toEqual([first]);
    const second = await next();
    expect(await pinOf(await start())).toEqual([second]);
    expect(await pinOf(one)).toEqual([first]);
  });

  it('cannot be sent by users', async () => {
    const forged = { name: 'erp', digest: 'sha256:0', kinds: [ERP_TYPE], json: JSON.stringify(erpApp()) };
    const definition = { weftApps: [forged], ...definitionOf(hooked('a')) };
    const { workflow } = await service.gateway.createWorkflow(
      { definition: Buffer.from(JSON.stringify(definition)), active: true },
      admin(),
    );
    expect([workflow?.active, workflow?.definition.includes('weftApps')]).toEqual([false, false]);
    expect((await ofRun(workflow?.versionId ?? '')).apps).toBeUndefined();
  });

  it('keeps its app from being deleted while a workflow is active, unless it is forced', async () => {
    const digest = await put();
    const inactive = await create('a', false);
    const { id, versionId } = await create('b');
    await expect(service.apps.deleteApp({ name: 'erp', force: false }, admin())).rejects.toMatchObject({
      reason: 'APP_IN_USE',
      message: expect.stringContaining('"A workflow"'),
      details: { workflowIds: id },
    });
    await service.apps.deleteApp({ name: 'erp', force: true }, admin());
    expect(await pinOf(versionId)).toEqual([digest]);
    await expect(
      service.gateway.activateWorkflow({ workflowId: inactive.id, ifEtags: [] }, admin()),
    ).rejects.toMatchObject({
      reason: 'WORKFLOW_NOT_RUNNABLE',
    });
  });

  it('links credentials that its nodes name by a type which stands for another one', async () => {
    const kind = { ...erpKind(), credentials: [{ type: 'erpApi' }] };
    await put(erpApp({ credentials: { erpApi: { as: 'httpBearerAuth' } }, kinds: { [ERP_TYPE]: kind } }));
    const named = { credentials: { erpApi: { id: 'of n8n', name: 'ERP' } } };
    const { workflow, warnings } = await service.gateway.createWorkflow(hooked('a', named), admin());
    const id = service.credentials.stored[0]?.id;
    expect(definitionOf(workflow).nodes[1]?.['credentials']).toEqual({ erpApi: { id, name: 'ERP' } });
    expect(warnings).toEqual([]);
    const { checked } = await service.gateway.checkDefinitions(
      { definitions: [hooked('c', named).definition], credentials: {} },
      admin(),
    );
    expect(checked[0]?.credentials).toMatchObject([{ type: 'erpApi', storedType: 'httpBearerAuth', id }]);
    const other = { credentials: { erpApi: { id: '', name: 'Other' } } };
    const missing = await service.gateway.createWorkflow(hooked('b', other), admin());
    expect(missing.warnings.map(({ message }) => message).join()).toContain('"Other" of type httpBearerAuth');
  });

  it('does not keep it once no active workflow uses it', async () => {
    await put();
    const { id } = await create('a');
    await service.gateway.deactivateWorkflow({ workflowId: id, ifEtags: [] }, admin());
    await service.apps.deleteApp({ name: 'erp', force: false }, admin());
  });
});
