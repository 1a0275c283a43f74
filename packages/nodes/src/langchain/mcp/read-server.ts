import { type NodeContext, NodeFailure } from '@weft/engine';
import {
  applyCredential,
  type CredentialParts,
  NO_CREDENTIAL,
} from '../../shared/http/authentication/apply-credential';
import { exchangeRun } from '../../shared/http/authentication/exchange';
import { choiceParameter, numberParameter, textParameter } from '../../shared/read-parameter';
import { MCP_LIMITS } from './session/limits';
import type { TransportName } from './session/open-session';
import type { McpTarget } from './session/target';

/** A server as the parameters of a node name it. */
export interface McpServer {
  readonly transport: TransportName;
  readonly url: URL;
  readonly authentication: Authentication;
  readonly timeoutMs: number;
}

const AUTHENTICATIONS = ['none', 'bearerAuth', 'headerAuth', 'multipleHeadersAuth', 'mcpOAuth2Api'] as const;
type Authentication = (typeof AUTHENTICATIONS)[number];

/** Credential types by the authentication that a node chooses. */
const CREDENTIAL_TYPES: Readonly<Record<Exclude<Authentication, 'none'>, string>> = {
  bearerAuth: 'httpBearerAuth',
  headerAuth: 'httpHeaderAuth',
  multipleHeadersAuth: 'httpMultipleHeadersAuth',
  mcpOAuth2Api: 'mcpOAuth2Api',
};

/** Where a node has the address, and the transport if it has no choice. */
export interface ServerParameters {
  readonly endpoint: string;
  readonly transport?: TransportName;
}

/** Reads the parameters that name a server. @throws NodeFailure that names the field */
export function readServer(
  context: NodeContext,
  { endpoint, transport }: ServerParameters,
  itemIndex: number,
): McpServer {
  return {
    transport: transport ?? choiceParameter(context, 'serverTransport', itemIndex, ['httpStreamable', 'sse']),
    url: addressIn(context, endpoint, itemIndex),
    authentication: choiceParameter(context, 'authentication', itemIndex, AUTHENTICATIONS, 'none'),
    timeoutMs: timeoutIn(context, itemIndex),
  };
}

/** The server with the credential of the node. @throws NodeFailure for a credential that cannot be used */
export async function targetOf(context: NodeContext, server: McpServer): Promise<McpTarget> {
  const { streams } = context.ports;
  return {
    streams,
    url: server.url,
    credential: await credentialOf(context, server),
    timeoutMs: server.timeoutMs,
    signal: context.signal,
    node: context.node.name,
  };
}

async function credentialOf(context: NodeContext, { authentication }: McpServer): Promise<CredentialParts> {
  if (authentication === 'none') return NO_CREDENTIAL;
  const type = CREDENTIAL_TYPES[authentication];
  return applyCredential(type, await context.credential(type), exchangeRun(context));
}

function addressIn(context: NodeContext, field: string, itemIndex: number): URL {
  const given = textParameter(context, field, itemIndex).trim();
  const label = field === 'sseEndpoint' ? 'SSE endpoint' : 'Endpoint';
  if (given === '') throw new NodeFailure(`The field "${label}" of "${context.node.name}" is empty`, { itemIndex });
  const full = /^https?:\/\//i.test(given) ? given : `https://${given}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '')
    throw new NodeFailure(`The field "${label}" of "${context.node.name}" is not a valid address`, {
      itemIndex,
      description: 'Write an address such as https://mcp.example.com/mcp, without a user and a password.',
    });
  return url;
}

function timeoutIn(context: NodeContext, itemIndex: number): number {
  const given = Math.trunc(numberParameter(context, 'options.timeout', itemIndex, 60_000));
  if (given >= 1) return Math.min(given, MCP_LIMITS.timeoutMs);
  throw new NodeFailure(`The option "Timeout" of "${context.node.name}" must be at least 1 millisecond`, { itemIndex });
}
