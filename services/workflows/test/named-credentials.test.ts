import { uuidv7 } from '@weft/service-kit/ids';
import { node, webhook, workflowOf } from './support/definitions';
import { startService, type TestService } from './support/start-service';

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
    expect(service.credentials.asked.at(-1)).toEqual({ ownerId: 'u1', workflowId, credentialIds: [allowed] });
    const { definition } = workflowOf(naming('named-b', refused));
    const change = { workflowId, definition, ifVersionId: '', ifEtags: [] };
    await expect(service.gateway.replaceWorkflow(change, service.as('u9', 'owner'))).rejects.toMatchObject(refusal(1));
    expect(service.credentials.asked.at(-1)).toMatchObject({ ownerId: 'u1', workflowId, credentialIds: [refused] });
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

  it('is checked once, and without credentials not at all', async () => {
    const count = service.credentials.asked.length;
    await create('named-d', []);
    await create('named-e', ['id-of-another-instance']);
    expect(service.credentials.asked).toHaveLength(count);
    await create('named-f', [allowed, allowed]);
    expect(service.credentials.asked).toHaveLength(count + 1);
  });
});
