import { fieldOf, textOf, type Json, type JsonObject } from './json';
import { HEADER_MISMATCH, INVALID_PARAMS, RpcError, UNSUPPORTED_VERSION } from './errors';
import type { RpcRequest } from './messages';

/** Versions with an `initialize` handshake, newest first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
/** Versions whose requests each carry version and capabilities. */
export const MODERN_VERSIONS = ['2026-07-28'] as const;

/** Streamable HTTP without a version header: the first version that had this transport. */
const WITHOUT_HEADER = '2025-03-26';

/** The only version with batches. */
export const BATCH_VERSION = '2025-03-26';

const PREFIX = 'io.modelcontextprotocol/';
const LEGACY: ReadonlySet<string> = new Set(LEGACY_VERSIONS);
const MODERN: ReadonlySet<string> = new Set(MODERN_VERSIONS);

/** Headers of a request, with names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export const headerOf = (headers: Headers, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
};

const unsupported = (requested: string): RpcError =>
  new RpcError(UNSUPPORTED_VERSION, 'Unsupported protocol version.', 400, {
    supported: [...MODERN_VERSIONS, ...LEGACY_VERSIONS],
    requested: requested.slice(0, 100),
  });

/** The version in the header. @throws RpcError if it is not served */
export const versionOfHeader = (headers: Headers): string => {
  const version = headerOf(headers, 'mcp-protocol-version') ?? WITHOUT_HEADER;
  if (!LEGACY.has(version) && !MODERN.has(version)) throw unsupported(version);
  return version;
};

export const isModern = (version: string): boolean => MODERN.has(version);

/** The version that `initialize` agrees on: the requested one, or the newest with this handshake. */
export const negotiate = (requested: string | undefined): string =>
  requested !== undefined && LEGACY.has(requested) ? requested : LEGACY_VERSIONS[0];

const metaOf = (params: JsonObject): Json | undefined => fieldOf(params, '_meta');

/** True if the request declares its own version, as clients of modern versions do. */
export const declaresVersion = ({ params }: RpcRequest): boolean =>
  fieldOf(metaOf(params), `${PREFIX}protocolVersion`) !== undefined;

/** A plain or Base64-encoded header value. */
const decoded = (value: string): string => {
  const encoded = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
};

const mismatch = (name: string): RpcError =>
  new RpcError(HEADER_MISMATCH, `Header mismatch: ${name} is missing or differs from the body.`, 400);

/**
 * Checks a request of a modern version: its headers must repeat the body, so that proxies and the server see the same
 * request.
 * @throws RpcError
 */
export const checkModernRequest = (headers: Headers, { method, params }: RpcRequest): void => {
  const version = textOf(metaOf(params), `${PREFIX}protocolVersion`);
  if (version === undefined)
    throw new RpcError(INVALID_PARAMS, `params._meta["${PREFIX}protocolVersion"] is required.`, 400);
  if (headerOf(headers, 'mcp-protocol-version') !== version) throw mismatch('MCP-Protocol-Version');
  if (!MODERN.has(version)) throw unsupported(version);
  if (typeof fieldOf(metaOf(params), `${PREFIX}clientCapabilities`) !== 'object')
    throw new RpcError(INVALID_PARAMS, `params._meta["${PREFIX}clientCapabilities"] is required.`, 400);
  if (headerOf(headers, 'mcp-method') !== method) throw mismatch('Mcp-Method');
  if (method === 'tools/call' && decoded(headerOf(headers, 'mcp-name') ?? '') !== textOf(params, 'name'))
    throw mismatch('Mcp-Name');
};

/** Members that a result of a modern version has in addition. */
export const modernMembers = (info: JsonObject): JsonObject => ({
  resultType: 'complete',
  _meta: { [`${PREFIX}serverInfo`]: info },
});
