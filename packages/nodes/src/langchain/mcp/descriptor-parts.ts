import type { CredentialDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice } from '../../descriptors/build-parameters';

const HEADERS = [choice('none', 'None'), choice('bearerAuth', 'Bearer token'), choice('headerAuth', 'Header')] as const;

/** Kinds of authentication that every version has. */
export const FIRST_AUTHENTICATION: ParameterDescriptor = {
  name: 'authentication',
  label: 'Authentication',
  type: 'options',
  default: 'none',
  options: HEADERS,
  help: 'How the node proves who it is. The credential is sent to the host of the endpoint only.',
};

/** All kinds of authentication. */
export const AUTHENTICATION: ParameterDescriptor = {
  ...FIRST_AUTHENTICATION,
  options: [...HEADERS, choice('multipleHeadersAuth', 'Several headers'), choice('mcpOAuth2Api', 'OAuth 2')],
};

export const CREDENTIALS: readonly CredentialDescriptor[] = [
  { type: 'httpBearerAuth', required: true, shownWhen: { authentication: ['bearerAuth'] } },
  { type: 'httpHeaderAuth', required: true, shownWhen: { authentication: ['headerAuth'] } },
  { type: 'httpMultipleHeadersAuth', required: true, shownWhen: { authentication: ['multipleHeadersAuth'] } },
  { type: 'mcpOAuth2Api', required: true, shownWhen: { authentication: ['mcpOAuth2Api'] } },
];

export const transport = (initial: 'httpStreamable' | 'sse'): ParameterDescriptor => ({
  name: 'serverTransport',
  label: 'Server transport',
  type: 'options',
  default: initial,
  options: [choice('httpStreamable', 'Streamable HTTP'), choice('sse', 'Server-sent events')],
  help: 'How the server takes messages. Server-sent events are the older transport.',
});

export const ENDPOINT: ParameterDescriptor = {
  name: 'endpointUrl',
  label: 'Endpoint',
  type: 'string',
  default: '',
  required: true,
  placeholder: 'https://mcp.example.com/mcp',
  help: 'Address of the MCP server.',
};

export const TIMEOUT: ParameterDescriptor = {
  name: 'timeout',
  label: 'Timeout',
  type: 'number',
  default: 60_000,
  help: 'Time for each request to the server, in milliseconds; at most 900,000.',
};
