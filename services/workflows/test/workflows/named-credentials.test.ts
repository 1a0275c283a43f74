import { uuidv7 } from '@weft/service-kit/ids';
import { node, webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

describe('a workflow that names credentials', () => {
  let service: TestService;
  const [allowed, refused] = [uuidv7(), uuidv7()];
  const message = 'Credential "key" belongs to Ada.';
  const naming = (path: string, ...ids: string[]) => [
    webhook(path),
    ...ids.map((id, index) =>
      node(
        `Http${index}`,
        'httpRequest',
        { url: 'https://a.test' },
        { credentials: { httpHeaderAuth: { id, name: 'k' } } },
      ),
    ),
  ];
  const editor = () => service.as('u1', 'editor');
  const create = (path: string, ids: string[], active = false) =>
    service.gateway.createWorkflow(workflowOf(naming(path, ...ids), { active }), editor());
  const refusal = (index: number) => ({
    reason: 'CREDENTIAL_NOT_GRANTED',
    kind: 'forbidden',
    message,
    details: { credentialId: refused },
    fields: [{ field: `nodes[${index}].credentials.httpHeaderAuth`, message }],
  });

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    service.credentials.refused.clear();
    service.credentials.refused.set(refused, message);
  });

  it('is not stored if its runs may not use one of them', async () => {
    const before = (await service.gateway.listWorkflows({ limit: 100, cursor: '', summary: true }, editor())).workflows;
    await expect(create('named-a', [allowed, refused])).rejects.toMatchObject(refusal(2));
    await expect(create('named-a', [refused], true)).rejects.toMatchObject(refusal(1));
    const after = (await service.gateway.listWorkflows({ limit: 100, cursor: '', summary: true }, editor())).workflows;
    expect(after).toEqual(before);
  });

  it('is checked for its owner, not for the user who saves it', async () => {
    const { workflow } = await create('named-b', [allowed]);
    const workflowId = workflow?.id ?? '';
    const askedAbout = (id: string) => ({ ownerId: 'u1', references: [{ type: 'httpHeaderAuth', id, name: 'k' }] });
    expect(service.credentials.asked.at(-1)).toEqual({ ...askedAbout(allowed), workflowId: '' });
    const { definition } = workflowOf(naming('named-b', refused));
    const change = { workflowId, definition, ifVersionId: '', ifEtags: [] };
    await expect(service.gateway.replaceWorkflow(change, service.as('u9', 'owner'))).rejects.toMatchObject(refusal(1));
    expect(service.credentials.asked.at(-1)).toEqual({ ...askedAbout(refused), workflowId });
  });

  it('is not activated after the right has ended', async () => {
    const { workflow } = await create('named-c', [allowed]);
    const call = { workflowId: workflow?.id ?? '', ifEtags: [] };
    service.credentials.refused.set(allowed, message);
    await expect(service.gateway.activateWorkflow(call, editor())).rejects.toMatchObject({
      reason: 'CREDENTIAL_NOT_GRANTED',
      details: { credentialId: allowed },
    });
    service.credentials.refused.clear();
    await expect(service.gateway.activateWorkflow(call, editor())).resolves.toBeDefined();
  });

  it('uses one that is granted to it alone, without a warning', async () => {
    const { workflow } = await create('named-g', []);
    const workflowId = workflow?.id ?? '';
    const id = uuidv7();
    service.credentials.stored.push({ id, type: 'httpHeaderAuth', name: 'k', ownerId: 'u9', workflowId });
    await expect(create('named-h', [id])).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_GRANTED' });
    const { definition } = workflowOf(naming('named-g', id));
    const change = { workflowId, definition, ifVersionId: '', ifEtags: [] };
    expect((await service.gateway.replaceWorkflow(change, editor())).warnings).toEqual([]);
    const activated = await service.gateway.activateWorkflow({ workflowId, ifEtags: [] }, editor());
    expect([activated.workflow?.active, activated.warnings]).toEqual([true, []]);
  });

  it('is checked once, and without credentials not at all', async () => {
    const count = service.credentials.asked.length;
    await create('named-d', []);
    expect(service.credentials.asked).toHaveLength(count);
    await create('named-f', [allowed, allowed]);
    expect(service.credentials.asked).toHaveLength(count + 1);
  });
});
