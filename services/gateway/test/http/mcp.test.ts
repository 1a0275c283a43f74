import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Workflow } from '@weft/proto/workflows';
import { until } from '@weft/service-kit/testing';
import { MAX_OPEN_CALLS } from '../../src/mcp/open-calls';
import { MAX_RESULT } from '../../src/mcp/bounded-text';
import { OWN_TOOLS } from '../../src/mcp/tool-list';
import { toolNameOf } from '../../src/mcp/tools/workflows-as-tools';
import { executionOf } from '../peers/executions';
import { nodeFinished } from '../peers/events';
import { KEYS } from '../peers/identity';
import { describedKind } from '../peers/workflows';
import { consolePageOf } from '../support/console-page';
import { startGateway, type TestGateway } from '../support/start-gateway';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const AT = new Date('2026-01-02T03:04:05.678Z');
const NEVER = Date.UTC(2099, 0);

const workflowTool = (over: Partial<Workflow> = {}): Workflow => ({
  id: ID,
  name: 'Send an invoice!',
  active: true,
  createdAt: AT,
  updatedAt: AT,
  definition: Buffer.from('{"name":"Send an invoice!","nodes":[],"connections":{}}'),
  versionId: 'v1',
  ownerId: 'owner',
  etag: 'e1',
  mcpTool: {
    node: 'Called',
    trigger: 'executeWorkflowTrigger',
    description: 'Give it a customer.',
    inputSchemaJson: '{"type":"object","properties":{"customer":{"type":"string"}},"additionalProperties":false}',
  },
  ...over,
});

/** Text of the result of a call, and whether it is an error. */
interface Said {
  readonly text: string;
  readonly isError: boolean;
}

const isTextPart = (part: unknown): part is { readonly text: string } =>
  typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string';

describe('/mcp', () => {
  let gateway: TestGateway;
  const clients: Client[] = [];
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await gateway.stop();
  });

  const connect = async (headers: Readonly<Record<string, string>> = { authorization: `Bearer ${KEYS.owner}` }) => {
    const client = new Client({ name: 'test', version: '1' });
    clients.push(client);
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${gateway.base}/mcp`), { requestInit: { headers } }),
    );
    return client;
  };
  const callTool = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<Said> => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const parts = Array.isArray(content) ? content.filter(isTextPart) : [];
    return { text: parts.map(({ text }) => text).join(''), isError: isError === true };
  };
  const post = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    gateway.ask('POST', '/mcp', { key: KEYS.owner, body, headers });
  const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  it('describes its tools to an official client, which needs no session', async () => {
    const client = await connect();
    expect(client.getServerVersion()).toMatchObject({ name: 'weft' });
    expect(client.getInstructions()).toContain('check_workflow');
    const { tools, nextCursor } = await client.listTools();
    expect(nextCursor).toBeUndefined();
    expect(tools.map(({ name }) => name)).toEqual(OWN_TOOLS.map(({ tool }) => tool.name));
    for (const { name, description = '', inputSchema, annotations } of tools) {
      expect(name).toMatch(/^[a-z_]{1,40}$/);
      expect(description.length).toBeGreaterThan(20);
      expect(description.length).toBeLessThan(500);
      expect(inputSchema.type).toBe('object');
      expect(annotations).toMatchObject({ readOnlyHint: expect.any(Boolean), destructiveHint: expect.any(Boolean) });
    }
    expect(JSON.stringify(tools).length).toBeLessThan(20_000);
  });

  it('calls what the REST route calls, as the user of the key', async () => {
    const client = await connect();
    const made = await callTool(client, 'create_workflow', { workflow: { name: 'made', nodes: [] }, active: true });
    expect(made.isError).toBe(false);
    expect(JSON.parse(made.text)).toMatchObject({ id: 'w1', name: 'made', active: true });
    const [created] = gateway.workflows.callsOf('createWorkflow');
    expect(created?.request).toMatchObject({ active: true });
    await gateway.api('GET', '/workflows');
    expect(created?.userId).toBe(gateway.workflows.seen.at(-1)?.userId);
    expect((await callTool(client, 'get_workflow', { id: 'w1' })).text).toContain('"name":"made"');
    expect((await callTool(client, 'list_workflows')).text).toContain('"nextCursor":null');
    expect((await callTool(client, 'deactivate_workflow', { id: 'w1' })).text).toContain('"active":false');
    expect((await callTool(client, 'activate_workflow', { id: 'w1' })).text).toContain('"active":true');
  });

  it('returns errors that name the field, for arguments and for definitions', async () => {
    const client = await connect();
    const missing = await callTool(client, 'get_workflow', {});
    expect([missing.isError, missing.text]).toEqual([
      true,
      expect.stringContaining('"field":"id","message":"is required"'),
    ]);
    const unknown = await callTool(client, 'get_workflow', { id: 'nowhere' });
    expect([unknown.isError, unknown.text]).toEqual([true, expect.stringContaining('nowhere')]);
    const checked = await callTool(client, 'check_workflow', { workflow: { name: 'broken' } });
    expect(JSON.parse(checked.text)).toMatchObject({ runnable: false, fields: [{ field: 'nodes' }] });
    expect(checked.text).not.toContain('"definition"');
    const stale = await callTool(client, 'create_workflow', { workflow: { name: 'x', nodes: [] } });
    const { id } = JSON.parse(stale.text);
    const args = { id, workflow: { name: 'y', nodes: [], connections: {} }, etag: '"other"' };
    expect((await callTool(client, 'update_workflow', args)).text).toContain('PRECONDITION_FAILED');
  });

  it('gives a viewer the rights of a viewer', async () => {
    const client = await connect({ 'x-svc-api-key': KEYS.viewer });
    expect((await callTool(client, 'list_workflows')).isError).toBe(false);
    const refused = await callTool(client, 'create_workflow', { workflow: { name: 'x', nodes: [] } });
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('FORBIDDEN')]);
    expect(gateway.workflows.stored.size).toBe(0);
  });

  it('refuses the next call of a key that is deleted', async () => {
    const client = await connect();
    await callTool(client, 'list_workflows');
    gateway.identity.keys.delete(KEYS.owner);
    await expect(callTool(client, 'list_workflows')).rejects.toThrow(/401|UNAUTHORIZED/);
  });

  it('counts each request of a batch against the limit of the key', async () => {
    gateway.identity.window.limit = 5;
    gateway.identity.window.used = 0;
    gateway.identity.window.resetAt = new Date(NEVER);
    const { status, text } = await post(Array.from({ length: 10 }, (_, id) => ({ ...LIST, id })));
    expect(status).toBe(200);
    expect(text.match(/"tools":/g)).toHaveLength(5);
    expect((await post(LIST)).status).toBe(429);
  });

  it('serves a signed-in user whose request only the page can have sent', async () => {
    const { headers } = await consolePageOf(gateway).signedIn();
    expect(
      (await gateway.ask('POST', '/mcp', { body: LIST, headers: { ...headers, 'x-weft-settings': '1' } })).status,
    ).toBe(200);
    expect((await gateway.ask('POST', '/mcp', { body: LIST, headers })).status).toBe(403);
  });

  it('refuses other sites, other methods and callers without a key', async () => {
    expect((await post(LIST, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(LIST, { origin: gateway.base })).status).toBe(200);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, headers } = await gateway.ask(method, '/mcp', { key: KEYS.owner });
      expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    }
    const { status, headers } = await gateway.ask('POST', '/mcp', { body: LIST });
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="weft"']);
    expect(
      (await gateway.ask('POST', '/mcp', { body: LIST, headers: { authorization: 'Bearer weft_wrong' } })).status,
    ).toBe(401);
  });

  it.each([
    ['broken JSON', '{"jsonrpc":', 400],
    ['nested 100,000 deep', '['.repeat(100_000) + ']'.repeat(100_000), 400],
    ['too large', JSON.stringify({ ...LIST, params: { x: 'x'.repeat(2_100_000) } }), 413],
    ['a number', '5', 400],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', 400],
  ])('refuses a body that is %s, and serves the next', async (_what, body, status) => {
    expect((await post(body)).status).toBe(status);
    expect((await post(LIST)).status).toBe(200);
  });

  it('returns long results in parts that together are the whole', async () => {
    const client = await connect();
    const note = 'ä'.repeat(120_000);
    await callTool(client, 'create_workflow', { workflow: { name: 'long', nodes: [], note } });
    let text = '';
    for (let part = 0; part < 10; part += 1) {
      const said = await callTool(client, 'get_workflow', { id: 'w1', offset: text.length });
      const [shown = '', advice] = said.text.split('\n\n[');
      expect(shown.length).toBeLessThanOrEqual(MAX_RESULT);
      text += shown;
      if (advice === undefined) break;
      expect(advice).toContain(`"offset": ${text.length}`);
    }
    expect(JSON.parse(text)).toMatchObject({ data: { name: 'long', note } });
  });

  it('lists node types in short and one in full', async () => {
    const client = await connect();
    const { text } = await callTool(client, 'list_node_types', { search: 'LIM' });
    const { description } = describedKind('limit', [1]);
    expect(JSON.parse(text)).toEqual({ type: 'n8n-nodes-base.limit', description: `limit: ${description}` });
    expect((await callTool(client, 'list_node_types')).text.split('\n')).toHaveLength(2);
    expect((await callTool(client, 'get_node_type', { type: 'set' })).text).toContain('"parameters"');
  });

  it('starts a workflow and returns the items of its last node', async () => {
    const client = await connect();
    const run = { data: { main: [[{ json: { total: 3 } }]] } };
    gateway.executions.stored.set('e1', executionOf('e1'));
    gateway.executions.data.set('e1', [
      JSON.stringify({ resultData: { lastNodeExecuted: 'Set', runData: { Set: [run] } } }),
    ]);
    const { text } = await callTool(client, 'run_workflow', { id: 'w1', data: { a: 1 } });
    expect(JSON.parse(text)).toEqual({ executionId: 'e1', status: 'success', lastNode: 'Set', output: [{ total: 3 }] });
    const data = await callTool(client, 'get_execution_data', { id: 'e1', node: 'Set' });
    expect(JSON.parse(data.text)).toEqual([run]);
    const other = await callTool(client, 'get_execution_data', { id: 'e1', node: 'Other' });
    expect([other.isError, other.text]).toEqual([true, expect.stringContaining('Nodes: Set')]);
    expect((await callTool(client, 'get_execution', { id: 'e1' })).text).toContain('"status":"success"');
  });

  it('reports the nodes of a run to a client that asks for progress', async () => {
    const client = await connect();
    gateway.executions.stored.set('e1', executionOf('e1'));
    gateway.events.page.value = { events: [nodeFinished(2), nodeFinished(3, { node: 'End' })], complete: true };
    const steps: (string | undefined)[] = [];
    await client.callTool({ name: 'run_workflow', arguments: { id: 'w1' } }, undefined, {
      onprogress: ({ message }) => steps.push(message),
    });
    expect(steps).toEqual(['Started execution e1.', 'Node "Set" finished.', 'Node "End" finished.']);
  });

  describe('a workflow that is a tool', () => {
    beforeEach(() => {
      gateway.workflows.stored.set(ID, workflowTool());
      gateway.executions.stored.set('e1', executionOf('e1'));
    });

    it('is listed with its inputs, and starts at its trigger', async () => {
      const client = await connect();
      const tool = (await client.listTools()).tools.at(-1);
      expect(tool).toMatchObject({
        name: expect.stringMatching(/^send_an_invoice-[\w-]{22}$/),
        description: 'Runs the workflow "Send an invoice!" and returns its result. Give it a customer.',
        inputSchema: { properties: { customer: { type: 'string' } } },
      });
      await callTool(client, tool?.name ?? '', { customer: 'c1' });
      const [start] = gateway.executions.callsOf('startExecution');
      expect(start?.request).toMatchObject({ start: { workflowId: ID, startNode: 'Called', usePinData: false } });
      expect(JSON.stringify(start?.request)).toContain(
        JSON.stringify([...Buffer.from('{"customer":"c1"}')]).slice(1, -1),
      );
    });

    it('refuses arguments that do not match its inputs', async () => {
      const client = await connect();
      const refused = await callTool(client, toolNameOf(workflowTool()), { customer: 5, more: 1 });
      expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('arguments.customer must be')]);
      expect(gateway.executions.callsOf('startExecution')).toEqual([]);
    });

    it('keeps its name when it is renamed', async () => {
      const client = await connect();
      gateway.workflows.stored.set(ID, workflowTool({ name: 'Another name' }));
      expect((await callTool(client, toolNameOf(workflowTool()), {})).isError).toBe(false);
    });

    it.each<[string, Workflow | undefined]>([
      ['inactive', workflowTool({ active: false })],
      ['no longer a tool', { ...workflowTool(), mcpTool: undefined }],
      ['deleted', undefined],
    ])('is unknown once it is %s', async (_what, workflow) => {
      const client = await connect();
      if (workflow === undefined) gateway.workflows.stored.delete(ID);
      else gateway.workflows.stored.set(ID, workflow);
      await expect(callTool(client, toolNameOf(workflowTool()), {})).rejects.toThrow('Unknown tool');
      await expect(callTool(client, 'constructor', {})).rejects.toThrow('Unknown tool');
    });

    it('is one of at most 100, in pages', async () => {
      for (let at = 0; at < 150; at += 1) {
        const id = ID.slice(0, -3) + String(at).padStart(3, '0');
        gateway.workflows.stored.set(id, workflowTool({ id }));
      }
      const client = await connect();
      const names: string[] = [];
      let cursor: string | undefined;
      let pages = 0;
      do {
        const page = await client.listTools(cursor === undefined ? {} : { cursor });
        expect(page.tools.length).toBeLessThanOrEqual(50);
        names.push(...page.tools.map(({ name }) => name));
        cursor = page.nextCursor;
        pages += 1;
      } while (cursor !== undefined && pages < 10);
      expect(names).toHaveLength(OWN_TOOLS.length + 100);
      expect(new Set(names).size).toBe(names.length);
      await expect(client.listTools({ cursor: 'invented' })).rejects.toThrow('Unknown cursor');
    });
  });

  it('serves others while one user holds as many calls as they may', async () => {
    const release = gateway.workflows.hold('getWorkflow');
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_workflow', arguments: { id: 'w1' } },
    };
    const held = Array.from({ length: MAX_OPEN_CALLS }, () => post(body));
    await until('they are held', () => gateway.workflows.callsOf('getWorkflow').length >= MAX_OPEN_CALLS);
    const { status, json } = await post(LIST);
    expect([status, json.error?.details]).toEqual([503, { reason: 'TOO_MANY_WAITING' }]);
    const healthy = await connect({ 'x-svc-api-key': KEYS.editor });
    expect((await callTool(healthy, 'list_workflows')).isError).toBe(false);
    release();
    await Promise.all(held);
    expect((await post(LIST)).status).toBe(200);
  });
});
