import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice } from '../../../descriptors/build-parameters';
import { TOOL } from '../../tools/descriptor-parameters';
import { AUTHENTICATION, CREDENTIALS, ENDPOINT, FIRST_AUTHENTICATION, TIMEOUT, transport } from '../descriptor-parts';

const names = (name: string, label: string, include: string, help: string): ParameterDescriptor => ({
  name,
  label,
  type: 'multiOptions',
  default: [],
  shownWhen: { include: [include] },
  help,
});

/** The tools of an MCP server as tools of a model. */
export const mcpClientTool: KindDescriptor = {
  ...TOOL,
  kind: 'langchain.mcpClientTool',
  label: 'MCP client tool',
  description: 'Offers the tools of an MCP server to a model.',
  versions: [1, 1.1, 1.2, 1.3, 1.4],
  credentials: CREDENTIALS,
  differs: [
    'Redirects to another host are refused, unless the credential allows the host.',
    'Credentials of OAuth 2 need a registered client: clients are not registered automatically.',
    'Forms do not list the tools of the server: write their names.',
  ],
  parameters: [
    {
      ...ENDPOINT,
      name: 'sseEndpoint',
      label: 'SSE endpoint',
      until: 1,
      placeholder: 'https://mcp.example.com/sse',
      help: 'Address of the stream of events of the MCP server.',
    },
    { ...ENDPOINT, since: 1.1 },
    { ...transport('sse'), since: 1.1, until: 1.1 },
    { ...transport('httpStreamable'), since: 1.2 },
    { ...FIRST_AUTHENTICATION, until: 1.1 },
    { ...AUTHENTICATION, since: 1.2 },
    {
      name: 'include',
      label: 'Tools to include',
      type: 'options',
      default: 'all',
      options: [choice('all', 'All'), choice('selected', 'Selected'), choice('except', 'All except')],
      help: 'The tools of the server that the model may call.',
    },
    names('includeTools', 'Included tools', 'selected', 'Names of tools of the server; empty for all.'),
    names('excludeTools', 'Excluded tools', 'except', 'Names of tools of the server.'),
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      help: 'Additional options.',
      fields: [TIMEOUT],
    },
  ],
};
