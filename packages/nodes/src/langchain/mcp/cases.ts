import type { KindCases } from '../../testing/cases/node-case';
import { fakeMcpServer } from './testing/fake-server';

const ENDPOINT = { sseEndpoint: 'https://mcp.example.com/sse', endpointUrl: 'https://mcp.example.com/mcp' };
const TOOL_VERSIONS = [1, 1.1, 1.2, 1.3, 1.4];
const CLIENT_VERSIONS = [1, 1.1];
const CALL = { ...ENDPOINT, tool: { mode: 'id', value: 'add' }, inputMode: 'json' };

export const mcpClientToolCases: KindCases = {
  kind: 'langchain.mcpClientTool',
  cases: [
    {
      it: 'calls the tool that an item names',
      versions: TOOL_VERSIONS,
      run: () => ({
        streams: fakeMcpServer(),
        items: [{ tool: 'Node_add', a: 1, b: 2, other: 'x' }],
        parameters: ENDPOINT,
      }),
      gives: [[{ response: [{ type: 'text', text: '3' }] }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'needs a tool that the server has',
      versions: TOOL_VERSIONS,
      run: () => ({ streams: fakeMcpServer(), items: [{ tool: 'Node_sub' }], parameters: ENDPOINT }),
      fails: 'The MCP server at mcp.example.com has no tool "Node_sub"',
    },
    {
      it: 'needs an endpoint',
      versions: TOOL_VERSIONS,
      run: { items: [{ tool: 'Node_add' }], parameters: { sseEndpoint: '', endpointUrl: '' } },
      fails: 'of "Node" is empty',
    },
  ],
};

export const mcpClientCases: KindCases = {
  kind: 'langchain.mcpClient',
  cases: [
    {
      it: 'gives the result of a call, with text that is JSON as a value',
      versions: CLIENT_VERSIONS,
      run: () => ({
        streams: fakeMcpServer(),
        items: [{ a: 1 }, { a: 2 }],
        parameters: { ...CALL, jsonInput: '={{ { a: $json.a, b: 2 } }}' },
      }),
      gives: [[{ content: [{ type: 'text', text: 3 }] }, { content: [{ type: 'text', text: 4 }] }]],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'takes arguments by name over the older transport',
      versions: CLIENT_VERSIONS,
      run: () => ({
        streams: fakeMcpServer(),
        items: [{}],
        parameters: {
          ...CALL,
          serverTransport: 'sse',
          inputMode: 'manual',
          parameters: { mappingMode: 'defineBelow', value: { a: 20, b: 22 } },
        },
      }),
      gives: [[{ content: [{ type: 'text', text: 42 }] }]],
    },
    {
      it: 'gives the failure of a tool as its content',
      versions: [1],
      run: () => ({ streams: fakeMcpServer(), items: [{}], parameters: { ...CALL, jsonInput: '{}' } }),
      gives: [[{ content: [{ type: 'text', text: 'That cannot be added.' }] }]],
    },
    {
      it: 'fails with the words of the tool',
      versions: [1.1],
      run: () => ({ streams: fakeMcpServer(), items: [{}], parameters: { ...CALL, jsonInput: '{}' } }),
      fails: 'That cannot be added.',
    },
    {
      it: 'needs a name of a tool',
      versions: CLIENT_VERSIONS,
      run: () => ({ streams: fakeMcpServer(), items: [{}], parameters: { ...CALL, tool: '' } }),
      fails: 'The field "Tool" of "Node" is empty',
    },
  ],
};

export const mcpTriggerCases: KindCases = {
  kind: 'langchain.mcpTrigger',
  cases: [
    {
      it: 'passes on the data of a start by hand',
      versions: [1, 1.1, 2, 2.1],
      run: { isStart: true, items: [{ a: 1 }], parameters: { path: 'p' } },
      gives: [[{ a: 1 }]],
    },
    {
      it: 'needs a tool',
      versions: [1, 1.1, 2, 2.1],
      run: { isStart: true, mode: 'webhook', items: [{ mcpListTools: true }], parameters: { path: 'p' } },
      fails: 'has no tools: connect one',
    },
  ],
};
