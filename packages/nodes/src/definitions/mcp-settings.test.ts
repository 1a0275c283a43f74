import { type JsonObject, readDefinition } from '@weft/node-catalogue';
import { checkDefinition } from './check-definition';
import { mcpNodes, mcpSettingsOf } from './mcp-settings';
import { routeErrors, routesOf } from './routes';

const TYPE = '@n8n/n8n-nodes-langchain.';

const serverOf = (parameters: JsonObject, over: JsonObject = {}): JsonObject => ({
  id: 's',
  name: 'Tools of sales',
  type: `${TYPE}mcpTrigger`,
  typeVersion: 2,
  position: [0, 0],
  parameters,
  ...over,
});
const toolOf = (name: string): JsonObject => ({
  id: name,
  name,
  type: `${TYPE}toolCalculator`,
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
});
const definitionOf = (nodes: readonly JsonObject[], tools: readonly string[] = ['Sum']) => {
  const link = { node: 'Tools of sales', type: 'ai_tool', index: 0 };
  return readDefinition({
    name: 'w',
    nodes: [...nodes, ...tools.map(toolOf)],
    connections: Object.fromEntries(tools.map((name) => [name, { ai_tool: [[link]] }])),
    settings: {},
  });
};
const routes = (parameters: JsonObject, over?: JsonObject): readonly string[] =>
  routesOf(definitionOf([serverOf(parameters, over)]), 'w').map(({ key }) => key);
const settings = (parameters: JsonObject, over?: JsonObject) => {
  const [node] = mcpNodes(definitionOf([serverOf(parameters, over)]));
  return node === undefined ? undefined : mcpSettingsOf(node);
};

describe('the addresses of an MCP server', () => {
  it.each([
    [{ path: '/sales/' }, {}, ['MCP sales']],
    [{ path: 'a/b' }, { typeVersion: 2.1 }, ['MCP a/b']],
    [{ path: 'sales' }, { typeVersion: 1 }, ['MCP sales/sse', 'MCP sales/messages']],
    [{ path: 'sales' }, { typeVersion: 1.1 }, ['MCP sales/sse', 'MCP sales/messages']],
    [{}, { webhookId: 'u1' }, ['MCP u1']],
    [{ path: 'sales' }, { disabled: true }, []],
    [{ path: 'a/:id' }, {}, []],
  ])('%j with %j: %j', (parameters, over, keys) => {
    expect(routes(parameters, over)).toEqual(keys);
  });

  it.each([
    [{ path: 'a/:id' }, 'cannot contain parameters'],
    [{ path: '' }, 'an MCP server needs a path'],
    [{ path: '={{ 1 }}' }, 'cannot be an expression'],
    [{ path: 'a/../b' }, 'invalid segment'],
  ])('%j is refused: %s', (parameters, message) => {
    expect(routeErrors(definitionOf([serverOf(parameters)]))).toMatchObject([
      { field: 'parameters.path', message: expect.stringContaining(message) },
    ]);
  });
});

describe('the settings of an MCP server', () => {
  it('have its callers, and what clients get to know', () => {
    const credentials = { httpBearerAuth: { id: 'c1', name: 'B' } };
    expect(
      settings(
        { path: 'p', authentication: 'bearerAuth', instructions: 'Be kind.' },
        { typeVersion: 2.1, credentials },
      ),
    ).toMatchObject({
      callers: { authentication: 'bearerAuth', credentialId: 'c1' },
      mcp: { name: 'Tools_of_sales', instructions: 'Be kind.', passesRequest: true },
    });
    expect(settings({ path: 'p' })).toMatchObject({
      callers: { authentication: 'none' },
      mcp: { instructions: '', passesRequest: false },
    });
  });

  it.each([['n8nOAuth2'], ['basicAuth'], ['={{ "none" }}'], [7]])('refuse all callers with %j', (authentication) => {
    expect(settings({ path: 'p', authentication })?.callers?.authentication).toBe('unsupported');
  });
});

describe('a workflow with an MCP server', () => {
  const messages = (...of: Parameters<typeof definitionOf>): readonly string[] =>
    checkDefinition(definitionOf(...of)).map(({ message }) => message);

  it('can be activated with a tool, and not without one', () => {
    expect(messages([serverOf({ path: 'p' })])).toEqual([]);
    expect(messages([serverOf({ path: 'p' })], [])).toEqual([
      'Node "Tools of sales" has no tools: connect a sub-node to its input ai_tool.',
    ]);
  });

  it('has tools with different names', () => {
    expect(messages([serverOf({ path: 'p' })], ['Sum up', 'Sum_up'])).toEqual([
      expect.stringContaining('have the same name for the model (Sum_up)'),
    ]);
  });

  it('names what to use in place of users of the instance', () => {
    expect(messages([serverOf({ path: 'p', authentication: 'n8nOAuth2' })])).toEqual([
      expect.stringContaining('Use a bearer token or a header.'),
    ]);
  });
});
