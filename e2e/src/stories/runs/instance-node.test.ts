import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { makeUser } from '../../support/users';
import { connect, node, smallWorkflow, type WorkflowFile } from '../../support/workflows';

const BLANK = { nodes: [], connections: {}, settings: {} };

const calling = (
  parameters: Readonly<Record<string, unknown>>,
  extra: Readonly<Record<string, unknown>> = {},
): WorkflowFile => ({
  name: 'calls the instance',
  nodes: [
    node('Start', 'manualTrigger', 1, 0),
    node('Instance', 'n8n', 1, 200, parameters, extra),
    node('After', 'noOp', 1, 400),
  ],
  connections: connect({ Start: [['Instance']], Instance: [['After']] }),
  settings: {},
});

describe('workflows that call the instance they run on', () => {
  let stack: Stack;
  let owner: Rest;
  let editor: Rest;
  beforeAll(async () => {
    stack = await borrowStack({});
    const clientOf = (key: string): Rest => restClient(stack.baseUrls[0] ?? '', key);
    owner = clientOf(stack.apiKey);
    editor = clientOf(await makeUser(stack, 'instance-editor', 'editor'));
  });
  afterAll(() => giveStackBack(stack));

  const store = async (rest: Rest, workflow: object): Promise<string> =>
    textOf(await rest('POST', '/workflows', workflow), 'id');
  const begin = async (rest: Rest, workflowId: string, data: object): Promise<string> =>
    textOf(await rest('POST', `/workflows/${workflowId}/execute`, { data }), 'executionId');
  const ended = (rest: Rest, id: string) =>
    until(`execution ${id} ends`, async () => {
      const execution = dataOf(await rest('GET', `/executions/${id}`));
      return execution['status'] !== 'running' && execution;
    });
  /** Runs a user's workflow with one node that calls the instance. @returns its items, or the text of the error */
  const run = async (rest: Rest, parameters: Readonly<Record<string, unknown>>, data: object = {}) => {
    const workflowId = await store(rest, calling(parameters));
    const text = JSON.stringify(await ended(rest, await begin(rest, workflowId, data)));
    const { data: runData, status }: { data: RunData; status: string } = JSON.parse(text);
    const [first] = runData.resultData.runData['Instance'] ?? [];
    return {
      status,
      items: (first?.data?.main?.[0] ?? []).map(({ json }) => json),
      error: first?.error?.message ?? '',
    };
  };

  it('makes, activates, changes and deletes workflows that belong to the owner of the run', async () => {
    const made = await run(editor, {
      operation: 'create',
      workflowObject: JSON.stringify({ ...smallWorkflow('made-by-a-run'), id: 'x', tags: [] }),
    });
    expect(made).toMatchObject({ status: 'success', items: [{ name: 'small made-by-a-run', active: false }] });
    const id = String(made.items[0]?.['id']);
    const workflowId = { __rl: true, mode: 'id', value: id };
    expect((await run(editor, { operation: 'activate', workflowId })).items).toMatchObject([{ id, active: true }]);
    expect((await fetch(`${stack.baseUrls[0]}/webhook/made-by-a-run`, { method: 'POST' })).status).toBe(200);
    expect((await run(editor, { filters: { name: 'MADE-BY', activeWorkflows: true } })).items).toMatchObject([{ id }]);
    expect((await run(editor, { filters: { name: 'made-by', activeWorkflows: false } })).items).toEqual([]);
    expect((await run(editor, { operation: 'deactivate', workflowId })).items).toMatchObject([{ id, active: false }]);
    const workflowObject = JSON.stringify({ ...BLANK, name: 'renamed' });
    expect((await run(editor, { operation: 'update', workflowId, workflowObject })).items).toMatchObject([
      { id, name: 'renamed', nodes: [] },
    ]);
    expect((await run(editor, { operation: 'delete', workflowId })).items).toMatchObject([{ id, name: 'renamed' }]);
    expect((await owner('GET', `/workflows/${id}`)).status).toBe(404);
  });

  it('gives a run no more rights than the owner of its workflow has', async () => {
    const foreign = await store(owner, { ...BLANK, name: 'foreign' });
    const execution = await begin(owner, await store(owner, calling({ limit: 1, returnAll: false })), {});
    await ended(owner, execution);
    expect((await run(editor, { operation: 'get', workflowId: foreign })).items).toMatchObject([{ name: 'foreign' }]);
    for (const operation of ['delete', 'activate', 'deactivate'])
      expect(await run(editor, { operation, workflowId: foreign })).toMatchObject({
        status: 'error',
        error: expect.stringContaining('another user'),
      });
    expect(await run(editor, { resource: 'execution', operation: 'delete', executionId: execution })).toMatchObject({
      status: 'error',
    });
    expect(
      await run(editor, {
        resource: 'credential',
        operation: 'create',
        name: 'c',
        credentialTypeName: 'httpHeaderAuth',
        data: '{"name":"x-a","value":"b"}',
      }),
    ).toMatchObject({ status: 'error', error: expect.stringContaining('admins of projects') });
    expect((await owner('GET', `/workflows/${foreign}`)).status).toBe(200);
    expect((await owner('GET', `/executions/${execution}`)).status).toBe(200);
    // The owner of the instance may do what the editor may not.
    expect((await run(owner, { operation: 'delete', workflowId: foreign })).items).toMatchObject([{ id: foreign }]);
  });

  it('makes and deletes credentials of owners without showing their data', async () => {
    const { items } = await run(owner, {
      resource: 'credential',
      operation: 'create',
      name: 'made',
      credentialTypeName: 'httpHeaderAuth',
      data: '{"name":"x-a","value":"a-secret-value"}',
    });
    expect(items).toMatchObject([{ name: 'made', type: 'httpHeaderAuth' }]);
    expect(JSON.stringify(items)).not.toContain('a-secret-value');
    const credentialId = String(items[0]?.['id']);
    expect((await run(owner, { resource: 'credential', operation: 'delete', credentialId })).items).toMatchObject([
      { id: credentialId },
    ]);
    expect((await owner('GET', `/credentials/${credentialId}`)).status).toBe(404);
  });

  it('reads and deletes executions', async () => {
    const workflowId = await store(editor, calling({ filters: { name: 'nothing has this name' } }));
    const ids = [await begin(editor, workflowId, {}), await begin(editor, workflowId, {})];
    for (const id of ids) await ended(editor, id);
    const list = { resource: 'execution', returnAll: true, filters: { workflowId, status: 'success' } };
    expect((await run(editor, list)).items.map(({ id }) => id)).toEqual(ids.toReversed());
    const [executionId] = ids;
    const get = { resource: 'execution', operation: 'get', executionId };
    expect((await run(editor, get)).items).toMatchObject([{ id: executionId, finished: true, workflowId }]);
    expect((await run(editor, { ...get, options: { activeWorkflows: true } })).items).toMatchObject([
      { data: { resultData: { lastNodeExecuted: 'Instance' } } },
    ]);
    expect((await run(editor, { ...get, operation: 'delete' })).items).toMatchObject([{ id: executionId }]);
    expect((await editor('GET', `/executions/${executionId}`)).status).toBe(404);
  });

  it('lets a run end whose workflow it has deleted', async () => {
    const workflowId = await store(editor, calling({ operation: 'delete', workflowId: '={{ $workflow.id }}' }));
    const execution = await ended(editor, await begin(editor, workflowId, {}));
    expect(execution).toMatchObject({ status: 'success', data: { resultData: { lastNodeExecuted: 'After' } } });
    expect((await editor('GET', `/workflows/${workflowId}`)).status).toBe(404);
  });

  it('ends a run that deletes its own execution', async () => {
    const parameters = { resource: 'execution', operation: 'delete', executionId: '={{ $execution.id }}' };
    const id = await begin(editor, await store(editor, calling(parameters)), {});
    await until('the execution is gone', async () => (await editor('GET', `/executions/${id}`)).status === 404);
    expect((await run(editor, {})).status).toBe('success');
  });

  it('bounds a workflow that activates copies of itself by what its owner may do', async () => {
    // The copied workflow is the running one, as the run reads it.
    const workflow = {
      name: 'copies itself',
      nodes: [
        node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'copies-itself' }),
        node('Read', 'n8n', 1, 200, { operation: 'get', workflowId: '={{ $workflow.id }}' }),
        node('Copy', 'n8n', 1, 400, { operation: 'create', workflowObject: '={{ $json }}' }),
        node('Activate', 'n8n', 1, 600, { operation: 'activate', workflowId: '={{ $json.id }}' }),
      ],
      connections: connect({ Hook: [['Read']], Read: [['Copy']], Copy: [['Activate']] }),
      settings: {},
      active: true,
    };
    const workflowId = await store(editor, workflow);
    await fetch(`${stack.baseUrls[0]}/webhook/copies-itself`, { method: 'POST' });
    const [execution] = await until('its run ends', async () => {
      const found = listOf(await editor('GET', `/executions?workflowId=${workflowId}&status=error`));
      return found.length > 0 && found;
    });
    // The original holds the address, so the copy does not listen.
    expect(JSON.stringify(execution)).toContain('copies-itself');
  });

  it('refuses what this instance does not have with a sentence', async () => {
    expect(await run(editor, { resource: 'audit' })).toMatchObject({
      error: 'This instance does not support risk reports',
    });
    const workflowId = await store(editor, { ...BLANK, name: 'versions' });
    expect(await run(editor, { operation: 'getVersion', workflowId, versionId: 'older' })).toMatchObject({
      error: 'The version older of the workflow is not the current one',
    });
  });
});

interface RunData {
  readonly resultData: {
    readonly runData: Readonly<
      Record<
        string,
        readonly {
          readonly data?: {
            readonly main?: readonly (readonly { readonly json: Readonly<Record<string, unknown>> }[])[];
          };
          readonly error?: { readonly message: string };
        }[]
      >
    >;
  };
}
