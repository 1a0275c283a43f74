import { INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, RpcError } from './errors';
import type { CallContext, McpHost } from './host';
import { fieldOf, isObject, textOf, type JsonObject } from './json';
import type { RpcRequest } from './messages';
import { LEGACY_VERSIONS, MODERN_VERSIONS, modernMembers, negotiate } from './versions';

const invalidParams = (message: string): RpcError => new RpcError(INVALID_PARAMS, message);

/** Time for which a client may keep what it has listed: workflows become tools at any time. */
const LIST_TTL_MS = 10_000;
const DISCOVERY_TTL_MS = 3_600_000;

/** No `listChanged`: there are no streams on which to send it. */
const CAPABILITIES: JsonObject = { tools: {} };

const listTools = async ({ params }: RpcRequest, host: McpHost): Promise<JsonObject> => {
  const cursor = fieldOf(params, 'cursor');
  if (cursor !== undefined && typeof cursor !== 'string') throw invalidParams('cursor must be a string.');
  const { tools, nextCursor } = await host.listTools(cursor);
  return {
    tools: tools.map(({ annotations, ...tool }) => ({
      ...tool,
      ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
    })),
    ...(nextCursor === undefined ? {} : { nextCursor }),
  };
};

const callTool = async ({ params }: RpcRequest, host: McpHost, context: CallContext): Promise<JsonObject> => {
  const name = textOf(params, 'name');
  if (name === undefined) throw invalidParams('params.name must be a string.');
  const args = fieldOf(params, 'arguments') ?? {};
  if (!isObject(args)) throw invalidParams('params.arguments must be an object.');
  const { text, isError = false } = await host.callTool(name, args, context);
  return { content: [{ type: 'text', text }], isError };
};

const initialize = ({ params }: RpcRequest, { info, instructions }: McpHost): JsonObject => ({
  protocolVersion: negotiate(textOf(params, 'protocolVersion')),
  capabilities: CAPABILITIES,
  serverInfo: { ...info },
  ...(instructions === undefined ? {} : { instructions }),
});

const methodNotFound = (method: string, status: number): RpcError =>
  new RpcError(METHOD_NOT_FOUND, `Method not found: ${method}. This server offers tools only.`, status);

const handleLegacy = (request: RpcRequest, host: McpHost, context: CallContext): Promise<JsonObject> | JsonObject => {
  switch (request.method) {
    case 'initialize':
      return initialize(request, host);
    case 'ping':
      return {};
    case 'tools/list':
      return listTools(request, host);
    case 'tools/call':
      return callTool(request, host, context);
    default:
      throw methodNotFound(request.method, 200);
  }
};

const handleModern = async (request: RpcRequest, host: McpHost, context: CallContext): Promise<JsonObject> => {
  const members = modernMembers({ ...host.info });
  switch (request.method) {
    case 'server/discover':
      return {
        ...members,
        supportedVersions: [...MODERN_VERSIONS, ...LEGACY_VERSIONS],
        capabilities: CAPABILITIES,
        ...(host.instructions === undefined ? {} : { instructions: host.instructions }),
        ttlMs: DISCOVERY_TTL_MS,
        cacheScope: 'public',
      };
    case 'tools/list':
      return { ...(await listTools(request, host)), ...members, ttlMs: LIST_TTL_MS, cacheScope: 'private' };
    case 'tools/call':
      return { ...(await callTool(request, host, context)), ...members };
    default:
      throw methodNotFound(request.method, 404);
  }
};

/** The result of a request. @throws RpcError; errors of the host */
export const handleRequest = async (
  request: RpcRequest,
  isModern: boolean,
  host: McpHost,
  context: CallContext,
): Promise<JsonObject> => (isModern ? handleModern : handleLegacy)(request, host, context);

/** Any thrown value as an error of the protocol. */
export const asRpcError = (error: unknown, host: Pick<McpHost, 'toError'>): RpcError =>
  error instanceof RpcError ? error : new RpcError(INTERNAL_ERROR, host.toError(error).message);
