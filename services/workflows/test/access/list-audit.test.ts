import { AuditOutcome } from '@weft/proto/audit';
import { node, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

describe('ListAudit', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const list = (target = '') =>
    service.audit.listAudit(
      { limit: 100, cursor: '', actor: '', action: '', target },
      service.as('the-owner', 'owner'),
    );

  it('has every change of a workflow and every refusal for lack of permission, without definitions', async () => {
    const editor = service.as('u1', 'editor');
    const definition = workflowOf([
      node('Set', 'set', { secret: 'planted' }),
      node('Hook', 'webhook', { path: 'audit' }),
    ]);
    const id = (await service.gateway.createWorkflow(definition, editor)).workflow?.id ?? '';
    const replacement = { ...definition, workflowId: id, ifVersionId: '', ifEtags: [] };
    await service.gateway.replaceWorkflow(replacement, editor);
    await service.gateway.activateWorkflow({ workflowId: id, ifEtags: [] }, editor);
    await service.gateway.deactivateWorkflow({ workflowId: id, ifEtags: [] }, editor);
    const byOther = service.gateway.deleteWorkflow({ workflowId: id, ifEtags: [] }, service.as('u2', 'editor'));
    await expect(byOther).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await service.gateway.deleteWorkflow({ workflowId: id, ifEtags: [] }, editor);
    const { entries } = await list(id);
    expect(entries.map(({ action, actor, outcome }) => [action, actor, outcome])).toEqual([
      ['workflow.delete', 'u1', AuditOutcome.AUDIT_OUTCOME_DONE],
      ['workflow.delete', 'u2', AuditOutcome.AUDIT_OUTCOME_REFUSED],
      ['workflow.deactivate', 'u1', AuditOutcome.AUDIT_OUTCOME_DONE],
      ['workflow.activate', 'u1', AuditOutcome.AUDIT_OUTCOME_DONE],
      ['workflow.update', 'u1', AuditOutcome.AUDIT_OUTCOME_DONE],
      ['workflow.create', 'u1', AuditOutcome.AUDIT_OUTCOME_DONE],
    ]);
    expect(JSON.stringify(entries)).not.toContain('planted');
  });

  it('has changes of data tables, and of their rows by users, without values', async () => {
    const editor = service.as('u1', 'editor');
    const table = { name: 'audited', columns: [{ name: 'a', type: 'string' }], shared: false };
    const dataTableId = (await service.dataTables.createDataTable(table, editor)).dataTable?.id ?? '';
    await service.dataTables.insertRows(
      { dataTableId, valuesJson: ['{"a":"planted"}', '{"a":"planted"}'], operationId: '' },
      editor,
    );
    await service.dataTables.deleteDataTable({ dataTableId }, editor);
    const { entries } = await list(dataTableId);
    expect(entries.map(({ action, about }) => [action, about['rows']])).toEqual([
      ['data-table.delete', undefined],
      ['data-table.insert-rows', '2'],
      ['data-table.create', undefined],
    ]);
    expect(JSON.stringify(entries)).not.toContain('planted');
  });

  it('has calls that a role does not permit, once an hour for each user and method', async () => {
    const viewer = service.as('a-viewer', 'viewer');
    const definition = workflowOf([node('Set', 'set')]);
    for (let tried = 0; tried < 3; tried += 1)
      await expect(service.gateway.createWorkflow(definition, viewer)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    const { entries } = await service.audit.listAudit(
      { limit: 100, cursor: '', actor: 'a-viewer', action: 'call.refused', target: '' },
      service.as('the-owner', 'owner'),
    );
    expect(entries).toMatchObject([
      {
        about: { method: 'weft.workflows.v1.WorkflowService/CreateWorkflow' },
        outcome: AuditOutcome.AUDIT_OUTCOME_REFUSED,
      },
    ]);
  });

  it('has changes of variables without their values', async () => {
    const editor = service.as('u1', 'editor');
    const created = await service.variables.createVariable({ key: 'k', value: 'planted' }, editor);
    await service.variables.deleteVariable({ variableId: created.variable?.id ?? '' }, editor);
    const { entries } = await list(created.variable?.id);
    expect(entries.map(({ action }) => action)).toEqual(['variable.delete', 'variable.create']);
    expect(JSON.stringify(entries)).not.toContain('planted');
  });
});
