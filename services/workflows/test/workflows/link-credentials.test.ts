import { uuidv7 } from '@weft/service-kit/ids';
import { definitionOf, node, requestOf, webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

const TYPE = 'httpHeaderAuth';
const PARAMETERS = { url: 'http://x', authentication: 'genericCredentialType', genericAuthType: TYPE };
const call = (reference: unknown, extra: object = {}): object =>
  node('Call', 'httpRequest', PARAMETERS, { typeVersion: 4.2, credentials: { [TYPE]: reference }, ...extra });

describe('the credentials of an imported workflow', () => {
  let service: TestService;
  const editor = () => service.as('u1', 'editor');
  const add = (name: string, ownerId = 'u1'): string => {
    const id = uuidv7();
    service.credentials.stored.push({ id, type: TYPE, name, ownerId });
    return id;
  };
  const create = async (...nodes: object[]) => service.gateway.createWorkflow(workflowOf(nodes), editor());
  const linked = (carrier: Parameters<typeof definitionOf>[0]): unknown =>
    definitionOf(carrier).nodes.find((one) => one['name'] === 'Call')?.['credentials'];

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  afterEach(() => {
    service.credentials.stored.length = 0;
    service.credentials.isAway = false;
  });

  it.each([
    ['an id of another instance', { id: 'oKXgM6W8vHKkYzYp', name: 'mine', extra: 1 }],
    ['the UUID of another instance', { id: uuidv7(), name: 'mine' }],
    ['an empty id', { id: '', name: 'mine' }],
    ['no id', { id: null, name: 'mine' }],
    ['the oldest form', 'mine'],
  ])('are linked by name and type: %s', async (_, reference) => {
    const id = add('mine');
    add('mine', 'u2');
    const { workflow, warnings } = await create(call(reference));
    expect(linked(workflow)).toMatchObject({ [TYPE]: { id, name: 'mine' } });
    expect(warnings).toEqual([]);
    const { versions } = await service.fromExecutions.getVersions({ versionIds: [workflow?.versionId ?? ''] });
    expect(linked(versions[0])).toEqual(linked(workflow));
  });

  it.each(['gone', ''])('stay names in the oldest form while none is found: %j', async (name) => {
    const { workflow } = await create(call(name, { disabled: true }));
    expect(linked(workflow)).toEqual({ [TYPE]: name });
  });

  it('stay as they are if the id is known', async () => {
    const id = add('renamed');
    add('mine');
    const text = JSON.stringify({
      name: 'w',
      nodes: [{ id: '1', position: [0, 0], ...call({ id, name: 'mine' }) }],
      connections: {},
      settings: {},
    });
    const { workflow } = await service.gateway.createWorkflow(requestOf(text), editor());
    expect(workflow?.definition.toString()).toBe(text);
  });

  it('are linked when the workflow is replaced', async () => {
    const { workflow } = await create(webhook('link-replace'));
    const id = add('mine');
    const replaced = await service.gateway.replaceWorkflow(
      {
        workflowId: workflow?.id ?? '',
        definition: workflowOf([call({ id: 'x', name: 'mine' })]).definition,
        ifVersionId: '',
        ifEtags: [],
      },
      editor(),
    );
    expect(linked(replaced.workflow)).toEqual({ [TYPE]: { id, name: 'mine' } });
  });

  it('are linked when the workflow is activated, by a new version', async () => {
    const { workflow, warnings } = await create(webhook('link-later'), call({ id: 'x', name: 'later' }));
    expect(warnings).toEqual([
      {
        field: `nodes[1].credentials.${TYPE}`,
        message: expect.stringMatching(/Node "Call": the credential "later" of type httpHeaderAuth does not exist/),
      },
    ]);
    const id = add('later');
    const { workflowId, ifEtags } = { workflowId: workflow?.id ?? '', ifEtags: [workflow?.etag ?? ''] };
    const activated = await service.gateway.activateWorkflow({ workflowId, ifEtags }, editor());
    expect(linked(activated.workflow)).toEqual({ [TYPE]: { id, name: 'later' } });
    expect([activated.workflow?.active, activated.warnings]).toEqual([true, []]);
    expect(activated.workflow?.versionId).not.toBe(workflow?.versionId);
    const again = await service.gateway.activateWorkflow({ workflowId, ifEtags: [] }, editor());
    expect(again.workflow?.versionId).toBe(activated.workflow?.versionId);
    const { webhooks } = await service.gateway.resolveWebhooks({ addresses: [{ method: 'POST', path: 'link-later' }] });
    expect(webhooks[0]?.versionId).toBe(activated.workflow?.versionId);
  });

  it('are warned about with their names if they are not found, and the workflow is activated', async () => {
    add('twice');
    add('twice');
    const foreign = add('foreign', 'u2');
    const warningOf = async (reference: unknown, extra: object = {}) =>
      (await create(call(reference, extra))).warnings.map(({ message }) => message);
    expect(await warningOf({ name: 'gone' })).toEqual([
      expect.stringContaining('"gone" of type httpHeaderAuth does not'),
    ]);
    expect(await warningOf({ id: 'only-an-id' })).toEqual([expect.stringContaining('with the id "only-an-id"')]);
    expect(await warningOf('twice')).toEqual([expect.stringContaining('several credentials of type httpHeaderAuth')]);
    await expect(warningOf({ id: foreign, name: 'theirs' })).rejects.toMatchObject({
      reason: 'CREDENTIAL_NOT_GRANTED',
      fields: [{ field: `nodes[0].credentials.${TYPE}` }],
    });
    // Leftovers of earlier settings, and disabled nodes, need nothing.
    expect(await warningOf({ name: 'gone' }, { parameters: { url: 'http://x' } })).toEqual([]);
    expect(await warningOf({ name: 'gone' }, { disabled: true })).toEqual([]);
    const { workflow } = await create(webhook('link-missing'), call({ name: 'gone' }));
    const activated = await service.gateway.activateWorkflow({ workflowId: workflow?.id ?? '', ifEtags: [] }, editor());
    expect([activated.workflow?.active, activated.warnings.length]).toEqual([true, 1]);
  });

  it('are found with the permissions of the owner, not of the caller', async () => {
    const { workflow } = await create(call({ name: 'later' }));
    const id = add('mine', 'u1');
    add('mine', 'admin1');
    const replaced = await service.gateway.replaceWorkflow(
      {
        workflowId: workflow?.id ?? '',
        definition: workflowOf([call('mine')]).definition,
        ifVersionId: '',
        ifEtags: [],
      },
      service.as('admin1', 'admin'),
    );
    expect(linked(replaced.workflow)).toEqual({ [TYPE]: { id, name: 'mine' } });
  });

  it('cannot be checked while the credentials service is unavailable: nothing is stored', async () => {
    service.credentials.isAway = true;
    await expect(create(call('mine'))).rejects.toMatchObject({ kind: 'unavailable' });
    await create(node('Set', 'set'));
  });
});

describe('with a credentials service of 0.1.0', () => {
  it('credentials stay as they are, without warnings', async () => {
    const service = await startService({}, undefined, { findsCredentials: false });
    const { workflow, warnings } = await service.gateway.createWorkflow(
      workflowOf([call({ id: 'x', name: 'mine' })]),
      service.as('u1', 'editor'),
    );
    expect(warnings).toEqual([]);
    expect(definitionOf(workflow).nodes[0]?.['credentials']).toEqual({ [TYPE]: { id: 'x', name: 'mine' } });
    await service.stop();
  });
});
