import type { KindDescriptor } from '@weft/node-catalogue';
import { choice } from '../../../descriptors/build-parameters';

/** Offers the attached tools to MCP clients. */
export const mcpTrigger: KindDescriptor = {
  kind: 'langchain.mcpTrigger',
  label: 'MCP server trigger',
  description: 'Offers the attached tools to MCP clients. Each call of a tool is an execution.',
  versions: [1, 1.1, 2, 2.1],
  groups: ['trigger'],
  isTrigger: true,
  inputs: [],
  outputs: [],
  accepts: [{ type: 'ai_tool', label: 'tools', required: true }],
  credentials: [
    { type: 'httpBearerAuth', required: true, shownWhen: { authentication: ['bearerAuth'] } },
    { type: 'httpHeaderAuth', required: true, shownWhen: { authentication: ['headerAuth'] } },
  ],
  differs: [
    'Servers for signed-in users of the instance (OAuth 2) are refused. Use a bearer token or a header.',
    'Pages of other sites cannot call the address: the Origin header is checked.',
    'Expressions in names and descriptions of tools do not see the request that lists the tools.',
    'There are no sessions with streamable HTTP: any replica of the gateway responds to a request.',
    'Clients of server-sent events post messages to the address of their stream.',
  ],
  parameters: [
    {
      name: 'authentication',
      label: 'Authentication',
      type: 'options',
      default: 'none',
      fixed: true,
      options: [
        choice('none', 'None'),
        choice('bearerAuth', 'Bearer token'),
        choice('headerAuth', 'Header'),
        choice('n8nOAuth2', 'Users of the instance', {
          since: 2,
          refused: 'MCP servers for signed-in users of the instance are not supported. Use a bearer token or a header.',
        }),
      ],
      help: 'Who may call the server.',
    },
    {
      name: 'path',
      label: 'Path',
      type: 'string',
      default: '',
      fixed: true,
      help:
        'Path below `/mcp/`. Before version 2, clients that use server-sent events call `<path>/sse`, and others ' +
        '`<path>/messages`. Default: the webhook id of the node.',
    },
    {
      name: 'instructions',
      label: 'Instructions',
      type: 'string',
      default: '',
      fixed: true,
      editor: 'multiline',
      help: 'Tells models how to use the tools together. Clients get it when they connect.',
    },
    {
      name: 'requireExecuteAccess',
      label: 'Require the permission to execute',
      type: 'boolean',
      default: true,
      since: 2,
      shownWhen: { authentication: ['n8nOAuth2'] },
      help: 'Has no effect: callers are not users of the instance.',
    },
    {
      name: 'includeUserInOutput',
      label: 'Include the user',
      type: 'boolean',
      default: true,
      since: 2.1,
      shownWhen: { authentication: ['n8nOAuth2'] },
      help: 'Has no effect: callers are not users of the instance.',
    },
  ],
};
