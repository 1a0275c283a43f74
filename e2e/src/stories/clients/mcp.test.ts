import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { dataOf, restClient, textOf, type Rest } from '../../support/rest';
import { makeUser } from '../../support/users';

/** Result of a tool. */
interface Said {
  readonly text: string;
  readonly isError: boolean;
}

const isTextPart = (part: unknown): part is { readonly text: string } =>
  typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string';

const connect = async (baseUrl: string, key: string) => {
  const client = new Client({ name: 'story', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit }));
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<Said> => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const parts = Array.isArray(content) ? content.filter(isTextPart) : [];
    return { text: parts.map(({ text }) => text).join(''), isError: isError === true };
  };
  return { client, call };
};

/** Adds the tax to the amounts of the input. `field` is the name of the parameter, which a first attempt gets wrong. */
const taxWorkflow = (type: string) => ({
  name: 'Add tax',
  nodes: [
    {
      name: 'Called',
      type: 'n8n-nodes-base.executeWorkflowTrigger',
      typeVersion: 1.1,
      position: [0, 0],
      notes: 'Adds 20 % tax to a net amount.',
      parameters: { workflowInputs: { values: [{ name: 'net', type: 'number' }] } },
    },
    {
      name: 'Tax',
      type,
      typeVersion: 3.4,
      position: [200, 0],
      parameters: {
        mode: 'manual',
        options: {},
        assignments: { assignments: [{ id: 'g', name: 'gross', type: 'number', value: '={{ $json.net * 1.2 }}' }] },
      },
    },
  ],
  connections: { Called: { main: [[{ node: 'Tax', type: 'main', index: 0 }]] } },
  settings: { availableInMCP: true },
});

describe('a client that has only the tools of /mcp', () => {
  let stack: Stack;
  let rest: Rest;
  let baseUrl: string;
  beforeAll(async () => {
    stack = await borrowStack();
    baseUrl = stack.baseUrls[0] ?? '';
    rest = restClient(baseUrl, stack.apiKey);
  });
  afterAll(() => giveStackBack(stack));

  it('builds a workflow, is corrected, runs it, reads the result, and then has it as a tool', async () => {
    const { client, call } = await connect(baseUrl, stack.apiKey);
    const found = await call('list_node_types', { search: 'edit fields' });
    expect(found.text).toContain('"n8n-nodes-base.set"');
    expect((await call('get_node_type', { type: 'n8n-nodes-base.set' })).text).toContain('"assignments"');

    const wrong = await call('check_workflow', { workflow: taxWorkflow('n8n-nodes-base.sett') });
    expect(JSON.parse(wrong.text)).toMatchObject({ runnable: false, fields: [{ field: 'nodes[1].type' }] });
    const right = await call('check_workflow', { workflow: taxWorkflow('n8n-nodes-base.set') });
    expect(JSON.parse(right.text)).toMatchObject({ runnable: true, fields: [] });

    const made = await call('create_workflow', { workflow: taxWorkflow('n8n-nodes-base.set') });
    const { id } = JSON.parse(made.text);
    const run = await call('run_workflow', { id, data: { net: 100 } });
    expect(JSON.parse(run.text)).toMatchObject({ status: 'success', lastNode: 'Tax', output: [{ gross: 120 }] });
    const { executionId } = JSON.parse(run.text);
    expect((await call('get_execution', { id: executionId, wait: true })).text).toContain('"status":"success"');
    const events = JSON.parse((await call('follow_execution', { id: executionId })).text);
    expect(events).toMatchObject({
      complete: true,
      data: expect.arrayContaining([expect.objectContaining({ node: 'Tax' })]),
    });
    expect((await call('get_execution_data', { id: executionId, node: 'Tax' })).text).toContain('"gross":120');

    const namesOf = async () => (await client.listTools()).tools.map(({ name }) => name);
    const before = await namesOf();
    expect((await call('activate_workflow', { id })).isError).toBe(false);
    const [tool = ''] = (await namesOf()).filter((name) => !before.includes(name));
    expect(tool).toMatch(/^add_tax-/);
    expect(JSON.parse((await call(tool, { net: 10 })).text)).toMatchObject({
      status: 'success',
      output: [{ gross: 12 }],
    });
    const refused = await call(tool, { net: 'ten' });
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('arguments.net must be')]);
    expect((await call('deactivate_workflow', { id })).isError).toBe(false);
    expect(await namesOf()).toEqual(before);
    expect(dataOf(await rest('GET', `/workflows/${id}`))).toMatchObject({ name: 'Add tax', active: false });
    await client.close();
  });

  it('reports the nodes of a run while it runs, and leaves a run that it stops to wait for', async () => {
    const { client, call } = await connect(baseUrl, stack.apiKey);
    const workflow = {
      name: 'Slow',
      nodes: [
        { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} },
        {
          name: 'Pause',
          type: 'n8n-nodes-base.wait',
          typeVersion: 1.1,
          position: [200, 0],
          parameters: { amount: 2, unit: 'seconds' },
        },
      ],
      connections: { Start: { main: [[{ node: 'Pause', type: 'main', index: 0 }]] } },
    };
    const { id } = JSON.parse((await call('create_workflow', { workflow })).text);
    const steps: string[] = [];
    const options = {
      onprogress: ({ message = '' }: { readonly message?: string | undefined }) => void steps.push(message),
    };
    await client.callTool({ name: 'run_workflow', arguments: { id } }, undefined, options);
    expect(steps.slice(1)).toEqual(['Node "Start" finished.', 'Node "Pause" finished.']);

    const cancel = new AbortController();
    const stopped = { signal: cancel.signal, onprogress: () => cancel.abort() };
    await expect(client.callTool({ name: 'run_workflow', arguments: { id } }, undefined, stopped)).rejects.toThrow();
    const [execution] = JSON.parse((await call('list_executions', { workflowId: id, limit: 1 })).text).data;
    expect(execution).toMatchObject({ status: expect.stringMatching(/^(?:running|waiting)$/) });
    const ended = JSON.parse((await call('get_execution', { id: execution.id, wait: true })).text);
    expect(ended).toMatchObject({ data: { status: 'success' } });
    await client.close();
  });

  it('starts workflows with webhooks and forms, each with its inputs, and shows why a run failed', async () => {
    const { client, call } = await connect(baseUrl, stack.apiKey);
    const triggers = [
      {
        name: 'Hook',
        type: 'n8n-nodes-base.webhook',
        typeVersion: 2,
        parameters: { path: 'mcp-story', httpMethod: 'POST' },
        webhookId: 'mcp-story',
      },
      {
        name: 'Form',
        type: 'n8n-nodes-base.formTrigger',
        typeVersion: 2.2,
        parameters: {
          formTitle: 'Colours',
          formFields: { values: [{ fieldLabel: 'colour', fieldType: 'text', requiredField: true }] },
        },
        webhookId: 'mcp-story-form',
      },
    ];
    const stop = { name: 'Stop', type: 'n8n-nodes-base.stopAndError', typeVersion: 1, position: [200, 0] };
    for (const trigger of triggers) {
      const { tools } = await client.listTools();
      const value = trigger.name === 'Hook' ? '={{ $json.body.colour }}' : '={{ $json.colour }}';
      const workflow = {
        name: trigger.name,
        nodes: [
          { ...trigger, position: [0, 0] },
          { ...stop, parameters: { errorMessage: value } },
        ],
        connections: { [trigger.name]: { main: [[{ node: 'Stop', type: 'main', index: 0 }]] } },
        settings: { availableInMCP: true },
      };
      const made = await call('create_workflow', { workflow, active: true });
      expect(JSON.parse(made.text)).toMatchObject({ active: true });
      const added = (await client.listTools()).tools.find(({ name }) => tools.every((one) => one.name !== name));
      const args = trigger.name === 'Hook' ? { body: { colour: 'green' } } : { colour: 'green' };
      const failed = await call(added?.name ?? '', args);
      expect(failed.isError).toBe(true);
      expect(JSON.parse(failed.text)).toMatchObject({ status: 'error', error: { message: 'green', node: 'Stop' } });
    }
    await client.close();
  });

  it('has the rights of its key, and loses them with the key', async () => {
    const viewer = await connect(baseUrl, await makeUser(stack, 'mcp-viewer', 'viewer'));
    expect((await viewer.call('list_workflows')).isError).toBe(false);
    const refused = await viewer.call('create_workflow', { workflow: taxWorkflow('n8n-nodes-base.set') });
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('FORBIDDEN')]);
    await viewer.client.close();

    const made = await rest('POST', '/keys', { name: 'assistant' });
    const assistant = await connect(baseUrl, textOf(made, 'value'));
    expect((await assistant.call('list_workflows')).isError).toBe(false);
    await rest('DELETE', `/keys/${textOf(made, 'id')}`);
    await expect(assistant.call('list_workflows')).rejects.toThrow(/401|UNAUTHORIZED/);
    await assistant.client.close();
  });
});
