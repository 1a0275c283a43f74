import type { WebhookSettings } from '@weft/proto/channels';
import {
  kindOf,
  type NodeDefinition,
  plainParameter,
  toolName,
  versionOf,
  type WorkflowDefinition,
} from '@weft/node-catalogue';
import { describeKind } from '../descriptors/kinds';
import { callersOf, type WebhookResponse } from './webhook-settings';

/** Kind of the trigger whose tools MCP clients call. */
export const MCP_KIND = 'langchain.mcpTrigger';

/** Pseudo method in the route of an MCP server, which takes several methods at each of its addresses. */
export const MCP_METHOD = 'MCP';

const CREDENTIAL_TYPES: ReadonlyMap<unknown, string> = new Map([
  ['bearerAuth', 'httpBearerAuth'],
  ['headerAuth', 'httpHeaderAuth'],
]);

/** From this version on, all clients call one address. */
const ONE_ADDRESS_SINCE = 2;
/** From this version on, runs see the request. */
const PASSES_REQUEST_SINCE = 2.1;

/** The enabled MCP triggers, in the order of the definition. */
export function mcpNodes(definition: WorkflowDefinition): NodeDefinition[] {
  return definition.nodes.filter((node) => node.disabled !== true && kindOf(node.type) === MCP_KIND);
}

/** Endings of the addresses of a node, after its path. */
export function mcpEndings(node: NodeDefinition): readonly string[] {
  return versionOfNode(node) < ONE_ADDRESS_SINCE ? ['/sse', '/messages'] : [''];
}

/** How the caller of a tool gets the response: the item of the trigger. */
export const MCP_RESPONSE: WebhookResponse = {
  responseMode: 'lastNode',
  responseCode: 200,
  responseHeaders: [],
  responseData: 'firstEntryJson',
  responseBinaryPropertyName: 'data',
  tellsPause: true,
};

/** Reads the settings of an MCP trigger that receiving a request needs. Never throws. */
export function mcpSettingsOf(node: NodeDefinition): WebhookSettings {
  const instructions = given(node, 'instructions');
  const name = toolName(node.name);
  return {
    callers: callersOf(node, given(node, 'authentication'), CREDENTIAL_TYPES),
    responseMode: MCP_RESPONSE.responseMode,
    responseCode: MCP_RESPONSE.responseCode,
    responseHeaders: [],
    noResponseBody: false,
    allowedOrigins: [],
    wholeBody: 'never',
    rawBody: false,
    fileProperty: '',
    outputsByMethod: false,
    mcp: {
      name: name === '' ? 'mcp-server' : name,
      instructions: typeof instructions === 'string' ? instructions : '',
      passesRequest: versionOfNode(node) >= PASSES_REQUEST_SINCE,
    },
  };
}

function versionOfNode(node: NodeDefinition): number {
  const descriptor = describeKind(MCP_KIND);
  return descriptor === undefined ? 1 : versionOf(node, descriptor);
}

function given(node: NodeDefinition, name: string): unknown {
  const descriptor = describeKind(MCP_KIND);
  return descriptor && plainParameter(node, descriptor, name);
}
