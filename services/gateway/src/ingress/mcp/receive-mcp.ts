import type { McpServer } from '@weft/proto/channels';
import type { ResolvedWebhook } from '@weft/proto/workflows';
import { answerPost, INVALID_REQUEST, isOriginAllowed, refusal } from '@weft/mcp';
import { InternalError } from '@weft/service-kit/errors';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { McpServerNotFound } from '../../errors';
import { readRpcBody } from '../../mcp/read-rpc-body';
import { refuseOrigin, writePostResponse } from '../../mcp/write-post-response';
import { ingressOrigin } from '../../middleware/client-origin';
import { writeError } from '../../middleware/responses/error-response';
import { clientSignal } from '../../middleware/responses/serve-events';
import { type IngressOptions, openIngress } from '../open-ingress';
import { checkCaller } from '../webhooks/check-caller';
import { addressOf, webhookSettingsOf } from '../webhooks/receive-webhook';
import { guardWebhookAnswer } from '../webhooks/write-webhook-answer';
import { openStream, opensStream } from './sessions/open-stream';
import { receiveMessage, sessionOf } from './sessions/receive-message';
import { createSessions, type Sessions } from './sessions/sessions';
import { createToolLists, type ToolLists } from './tool-lists';
import { createWorkflowHost, type ServedCall } from './workflow-host';

const ROOT = '/mcp/';

/** Pseudo method of the routes of MCP servers. */
const METHOD = 'MCP';

/** Far above the arguments that a tool takes. */
export const MAX_BODY_BYTES = 1_000_000;

/** Dependencies of the ingress of MCP servers. */
export interface McpIngressOptions extends IngressOptions {
  readonly lists: ToolLists;
  readonly sessions: Sessions;
}

/** A request to an MCP server of an active workflow, whose caller is admitted. */
export interface AdmittedRequest extends ServedCall {
  readonly request: IncomingMessage;
}

const serverOf = (webhook: ResolvedWebhook): McpServer => {
  const { mcp } = webhookSettingsOf(webhook);
  if (mcp === undefined) throw new InternalError(new Error('The MCP server was resolved without its settings.'));
  return mcp;
};

/** Finds the server at the address and admits the caller. @throws McpServerNotFound, Forbidden, Unauthorized */
const admit = async (
  request: IncomingMessage,
  response: ServerResponse,
  options: McpIngressOptions,
): Promise<AdmittedRequest> => {
  const { path } = addressOf(request, ROOT, (_, raw) => new McpServerNotFound(raw));
  const webhook = await options.clients.workflows.resolveWebhook({ method: METHOD, path });
  if (!webhook.found) throw new McpServerNotFound(path);
  const server = serverOf(webhook);
  const { headers } = await checkCaller(request, response, webhook, webhookSettingsOf(webhook).callers, {
    ...options,
    verifiesBodies: false,
  });
  return { request, response, webhook, server, headers };
};

/** True for a page of another site. */
const isFromElsewhere = (request: IncomingMessage, options: McpIngressOptions): boolean => {
  const { publicUrl, webhookHost } = options;
  const isConfigured = publicUrl !== '' || webhookHost !== '';
  const own = isConfigured ? { publicOrigin: ingressOrigin(request, options) } : {};
  return !isOriginAllowed(request.headers.origin, { ...own, host: request.headers.host });
};

const post = async (admitted: AdmittedRequest, options: McpIngressOptions): Promise<void> => {
  const { request, response, webhook, headers } = admitted;
  const read = await readRpcBody(request, response, webhook, options.readBody, MAX_BODY_BYTES);
  if ('refused' in read) return writePostResponse(response, read.refused);
  const host = createWorkflowHost({ ...admitted, body: read.body }, options);
  const answer = await answerPost(host, { headers, body: read.body, signal: clientSignal(response) });
  await writePostResponse(response, answer);
};

const receive = async (
  request: IncomingMessage,
  response: ServerResponse,
  options: McpIngressOptions,
): Promise<void> => {
  if (isFromElsewhere(request, options)) return refuseOrigin(response);
  const admitted = await admit(request, response, options);
  if (request.method === 'POST') {
    const session = sessionOf(request);
    return session === undefined ? post(admitted, options) : receiveMessage(admitted, session, options);
  }
  if (opensStream(admitted)) return openStream(admitted, options);
  response.setHeader('allow', 'GET, POST');
  const advice = 'POST a message, or GET with Accept: text/event-stream. There is no session to end or to listen to.';
  return writePostResponse(response, refusal(INVALID_REQUEST, advice, 405));
};

/**
 * Handles requests to /mcp/<path>: MCP clients list and call the tools of active workflows. Requires no API key; errors
 * that concern no message have the same format as in the API.
 * @param secretOf a secret that all replicas have
 */
export const createMcpReceiver = (options: IngressOptions, secretOf: () => string): RequestListener => {
  const sessions = createSessions(options.clients.events.calls, secretOf);
  const own: McpIngressOptions = { ...options, lists: createToolLists(), sessions };
  return openIngress(options, {
    root: ROOT,
    isSecret: false,
    guard: guardWebhookAnswer,
    receive: (request, response) => receive(request, response, own),
    writeError,
  });
};
