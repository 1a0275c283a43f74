import { isJsonObject, type JsonObject, listField, objectField, textField } from '@weft/node-catalogue';
import { LEGACY_VERSIONS } from '@weft/mcp';
import { MCP_LIMITS } from './limits';
import { type McpTransport, resultIn } from './messages';
import { openServerSentEvents } from './server-sent-events';
import { openStreamableHttp } from './streamable-http';
import { type McpTarget, mcpFailure } from './target';

/** A tool of a server. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly schema: JsonObject;
}

/** Requests of a session that has begun. */
export interface McpSession {
  /** All tools. @throws NodeFailure, also for a list that is too long */
  listTools(): Promise<readonly McpTool[]>;
  /** The result as the server gives it: `{ content, structuredContent?, isError? }`. @throws NodeFailure */
  callTool(name: string, args: JsonObject): Promise<JsonObject>;
}

/** How messages reach a server: streamable HTTP, or the older transport by server-sent events. */
export type TransportName = 'httpStreamable' | 'sse';

/**
 * Opens a session with a server, uses it, and ends it.
 * @throws NodeFailure for a server that cannot be reached or does not follow the protocol
 */
export async function withSession<Value>(
  target: McpTarget,
  transportName: TransportName,
  use: (session: McpSession) => Promise<Value>,
): Promise<Value> {
  const transport = transportName === 'sse' ? await openServerSentEvents(target) : openStreamableHttp(target);
  try {
    const request = requestsOver(target, transport);
    await initialize(target, transport, request);
    return await use({
      listTools: () => listTools(target, request),
      callTool: (name, args) => request('tools/call', { name, arguments: args }),
    });
  } finally {
    await transport.close();
  }
}

/** How the client introduces itself. The version is that of this client, not of the release. */
const CLIENT: JsonObject = { name: 'weft', version: '1' };

/** Names of tools: without line breaks and other control characters, which could pass for instructions. */
const TOOL_NAME = /^\P{Cc}{1,200}$/u;

type Request = (method: string, params: JsonObject) => Promise<JsonObject>;

function requestsOver(target: McpTarget, transport: McpTransport): Request {
  let last = 0;
  return async (method, params) => {
    last += 1;
    return resultIn(target, await transport.request({ jsonrpc: '2.0', id: last, method, params }, last));
  };
}

async function initialize(target: McpTarget, transport: McpTransport, request: Request): Promise<void> {
  const result = await request('initialize', {
    protocolVersion: LEGACY_VERSIONS[0],
    capabilities: {},
    clientInfo: CLIENT,
  });
  const version = textField(result, 'protocolVersion') ?? '';
  if (!LEGACY_VERSIONS.some((one) => one === version))
    throw mcpFailure(
      target,
      `speaks version "${version.slice(0, 40)}" of the protocol, which is not known here.`,
      `Known versions: ${LEGACY_VERSIONS.join(', ')}.`,
    );
  transport.agree(version);
  await transport.notify({ jsonrpc: '2.0', method: 'notifications/initialized' });
}

async function listTools(target: McpTarget, request: Request): Promise<readonly McpTool[]> {
  const tools: McpTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MCP_LIMITS.pages; page += 1) {
    const result = await request('tools/list', cursor === undefined ? {} : { cursor });
    const listed = listField(result, 'tools');
    if (tools.length + listed.length > MCP_LIMITS.tools)
      throw mcpFailure(target, `lists more than ${MCP_LIMITS.tools} tools.`, 'Use a server with fewer tools.');
    for (const one of listed) {
      const name = isJsonObject(one) ? textField(one, 'name') : undefined;
      if (!isJsonObject(one) || name === undefined || !TOOL_NAME.test(name))
        throw mcpFailure(target, 'lists a tool without a valid name.');
      const description = (textField(one, 'description') ?? '').slice(0, MCP_LIMITS.description);
      tools.push({ name, description, schema: { ...objectField(one, 'inputSchema'), type: 'object' } });
    }
    const next = textField(result, 'nextCursor');
    if (next === undefined || next === '') return tools;
    cursor = next;
  }
  throw mcpFailure(target, `lists its tools on more than ${MCP_LIMITS.pages} pages.`);
}
