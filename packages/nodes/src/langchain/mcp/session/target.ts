import { NodeFailure } from '@weft/engine';
import type { OutboundRequest, OutboundStream, OutboundStreams } from '@weft/outbound';
import { OutboundError } from '@weft/outbound';
import type { CredentialParts } from '../../../shared/http/authentication/apply-credential';
import { redactor } from '../../../shared/http/response/redact';
import { MCP_LIMITS } from './limits';

/** An MCP server, and how a node reaches it. */
export interface McpTarget {
  readonly streams: OutboundStreams;
  readonly url: URL;
  readonly credential: CredentialParts;
  /** Of one request, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Name of the node, for messages. */
  readonly node: string;
}

/** A request to the server. */
interface McpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Uint8Array;
  /** `timeoutMs` of the target if absent. */
  readonly timeoutMs?: number;
}

const EMPTY = new Uint8Array();
const EXCERPT = 500;

/** The failure of a request to the server, with its host. */
export function mcpFailure({ url }: McpTarget, message: string, description?: string): NodeFailure {
  return new NodeFailure(`The MCP server at ${url.host} ${message}`, {
    name: 'NodeApiError',
    ...(description === undefined ? {} : { description }),
  });
}

/**
 * Sends a request with the credential, and resolves with a response of a status of success. The credential, and any
 * redirect, stays with the host of the endpoint, or with the hosts that the credential allows.
 * @throws NodeFailure for any other status, and without a response
 */
export async function openResponse(target: McpTarget, request: McpRequest): Promise<OutboundStream> {
  const { credential, streams, signal, url } = target;
  const timeoutMs = request.timeoutMs ?? target.timeoutMs;
  const secretHeaders = credential.headers.map(([name]) => name);
  const outbound = {
    method: request.method,
    url: withQuery(request.url, credential.query).href,
    headers: [...request.headers, ...credential.headers],
    ...(request.body === undefined ? {} : { body: request.body }),
    timeoutMs,
    followRedirects: true,
    allowedHosts: credential.allowedHosts ?? [url.host],
    secretHeaders,
    signal,
  };
  const response = await sent(target, outbound, (one) =>
    streams.stream({ ...one, idleTimeoutMs: timeoutMs, maxResponseBytes: MCP_LIMITS.responseBytes }),
  );
  if (response.status >= 200 && response.status < 300) return response;
  throw await statusFailure(target, response);
}

async function sent(
  target: McpTarget,
  request: OutboundRequest,
  send: (request: OutboundRequest) => Promise<OutboundStream>,
): Promise<OutboundStream> {
  const { exchange } = target.credential;
  try {
    if (exchange === undefined) return await send(request);
    let last: OutboundStream | undefined;
    await exchange(request, async (one) => {
      last?.cancel();
      last = await send(one);
      return { ...last, body: EMPTY };
    });
    if (last === undefined) throw mcpFailure(target, 'was not called.');
    return last;
  } catch (thrown) {
    throw requestFailure(target, thrown);
  }
}

/** An error of the HTTP client as one of the node; other errors, and those of a run that ends, stay as they are. */
export function requestFailure(target: McpTarget, thrown: unknown): unknown {
  if (!(thrown instanceof OutboundError) || target.signal.aborted) return thrown;
  const { code, message } = thrown;
  const failure = (text: string, description: string): NodeFailure =>
    new NodeFailure(`The MCP server at ${target.url.host} ${text}`, {
      name: 'NodeApiError',
      cause: thrown,
      context: { code },
      description,
    });
  if (code === 'TIMEOUT')
    return failure(`did not respond in time: ${message}`, `Set "Timeout" of the node "${target.node}".`);
  if (code === 'TOO_LARGE')
    return failure(
      `sent more than ${MCP_LIMITS.responseBytes / 1024 / 1024} MB in one response.`,
      'Select a tool, or arguments, with a smaller result.',
    );
  return failure(`could not be called: ${message}`, adviceOn(target));
}

const adviceOn = ({ node }: McpTarget): string =>
  `Check "Endpoint" of the node "${node}". The credential, and redirects, stay with the host of the endpoint.`;

async function statusFailure(target: McpTarget, response: OutboundStream): Promise<NodeFailure> {
  const redact = redactor(target.credential.secrets());
  const excerpt = redact(await refusalText(response))
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, EXCERPT);
  const { status } = response;
  const said = excerpt === '' ? '' : `: ${excerpt}`;
  if (status === 401 || status === 403)
    return mcpFailure(
      target,
      `refused the caller with status ${status}${said}`,
      `Check "Authentication" and the credential of the node "${target.node}".`,
    );
  return mcpFailure(
    target,
    `responded with status ${status}${said}`,
    `Check "Endpoint" and "Server transport" of the node "${target.node}".`,
  );
}

/** The start of the body of a refusal; what cannot be read of it is left out. */
async function refusalText(response: OutboundStream): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.chunks) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MCP_LIMITS.refusalBytes) break;
    }
  } catch (thrown) {
    if (!(thrown instanceof OutboundError) || thrown.code === 'ABORTED') throw thrown;
  }
  return Buffer.concat(chunks).toString();
}

function withQuery(url: URL, query: CredentialParts['query']): URL {
  const full = new URL(url);
  for (const [name, value] of query) if (typeof value === 'string') full.searchParams.append(name, value);
  return full;
}
