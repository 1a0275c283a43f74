/**
 * The Model Context Protocol, server side, over streamable HTTP: JSON-RPC, versions, tools, progress. It knows nothing
 * of what the tools do, of users or of sockets: the host authenticates, reads bodies and writes responses.
 */
export { checkArguments } from './check-arguments';
export { INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, RpcError } from './errors';
export type { CallContext, McpHost, Tool, ToolHints, ToolPage, ToolResult } from './host';
export { readSessionMessage, type SessionMessage } from './in-session';
export { isOriginAllowed, type OwnAddress } from './origin';
export { answerPost, refusal, type PostResponse, type HttpPost } from './streamable-http';
export { LEGACY_VERSIONS, MODERN_VERSIONS } from './versions';
