import { answerPost, INVALID_REQUEST, isOriginAllowed, PARSE_ERROR, type PostResponse, refusal } from '@weft/mcp';
import { InvalidRequest } from '@weft/service-kit/errors';
import express, { type Express, type RequestHandler } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clients } from '../clients';
import { EndpointNotFound } from '../errors';
import { EVENT_STREAM_HEADERS } from '../http/event-stream';
import { untilDrained } from '../http/until-drained';
import { answerErrors, beginRequest, type RequestOptions } from '../middleware/begin-request';
import type { ProxyTrust } from '../middleware/client-origin';
import type { ReadBody } from '../middleware/bodies/read-body';
import { type JsonBody, readJsonBody } from '../middleware/bodies/read-json-body';
import { clientSignal } from '../middleware/responses/serve-events';
import { createReadCaller, type McpCaller } from './mcp-caller';
import { createMcpHost } from './mcp-host';
import { createOpenCalls } from './open-calls';

/** Path of the MCP endpoint. */
export const MCP_PATH = '/mcp';

/** Dependencies and options of the endpoint. */
export interface McpOptions extends RequestOptions, ProxyTrust {
  readonly clients: Clients;
  readonly readBody: ReadBody;
  readonly buildCommit: string;
}

/** Far above any definition that a model writes, and below what the API accepts. */
const MAX_BODY_BYTES = 2_000_000;

const write = async (response: ServerResponse, answer: PostResponse): Promise<void> => {
  if (response.headersSent || response.destroyed) return;
  switch (answer.kind) {
    case 'accepted':
      response.writeHead(202).end();
      return;
    case 'json':
      response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8' }).end(answer.text);
      return;
    case 'stream':
      response.writeHead(200, EVENT_STREAM_HEADERS);
      for await (const part of answer.parts) {
        if (response.destroyed) return;
        if (!response.write(part)) await untilDrained(response);
      }
      response.end();
  }
};

/** Reads the message. @returns the response instead if it is not JSON @throws other errors of reading */
const readMessage = async (
  request: IncomingMessage,
  response: ServerResponse,
  { principal }: McpCaller,
  readBody: ReadBody,
): Promise<JsonBody | PostResponse> => {
  try {
    const owner = { ownerId: principal.userId, workflowId: '' };
    const body = await readJsonBody(request, response, 'required', { readBody, owner, maxBytes: MAX_BODY_BYTES });
    return body ?? refusal(PARSE_ERROR, 'A JSON body is required.', 400);
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return refusal(PARSE_ERROR, error.message, 400);
  }
};

const serve = (options: McpOptions): RequestHandler => {
  const { clients, logger, publicUrl, buildCommit: commit } = options;
  const readCaller = createReadCaller(options);
  const openCalls = createOpenCalls();
  const own = publicUrl === '' ? {} : { publicOrigin: publicUrl };
  return async function serveMcp(request, response) {
    if (request.originalUrl.split('?')[0] !== MCP_PATH) throw new EndpointNotFound(request.method, request.path, []);
    if (!isOriginAllowed(request.headers.origin, { ...own, host: request.headers.host })) {
      const advice = 'Requests from other sites are refused. If this site is Weft, set PUBLIC_URL to its address.';
      return write(response, refusal(INVALID_REQUEST, advice, 403));
    }
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST');
      return write(response, refusal(INVALID_REQUEST, 'Only POST: this server has no sessions and no streams.', 405));
    }
    response.setHeader('www-authenticate', 'Bearer realm="weft"');
    const caller = await readCaller(request, response);
    response.removeHeader('www-authenticate');
    const end = openCalls.begin(caller.principal.userId);
    response.once('close', end);
    const body = await readMessage(request, response, caller, options.readBody);
    if ('kind' in body) return write(response, body);
    const host = createMcpHost({ ...caller, clients, commit, logger });
    await write(
      response,
      await answerPost(host, { headers: request.headers, body: body.value, signal: clientSignal(response) }),
    );
  };
};

/** The MCP server of the instance, at /mcp. */
export const createMcpApp = (options: McpOptions): Express => {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple').enable('case sensitive routing');
  app.use(beginRequest(options));
  app.use(serve(options));
  app.use(answerErrors(options.logger));
  return app;
};
