import { answerPost, INVALID_REQUEST, isOriginAllowed, refusal } from '@weft/mcp';
import express, { type Express, type RequestHandler } from 'express';
import type { Clients } from '../clients';
import { EndpointNotFound } from '../errors';
import { answerErrors, beginRequest, type RequestOptions } from '../middleware/begin-request';
import type { ProxyTrust } from '../middleware/client-origin';
import type { ReadBody } from '../middleware/bodies/read-body';
import { clientSignal } from '../middleware/responses/serve-events';
import { createReadCaller } from './mcp-caller';
import { createMcpHost } from './mcp-host';
import { createOpenCalls } from './open-calls';
import { readRpcBody } from './read-rpc-body';
import { refuseOrigin, writePostResponse } from './write-post-response';

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

const serve = (options: McpOptions): RequestHandler => {
  const { clients, logger, publicUrl, buildCommit: commit } = options;
  const readCaller = createReadCaller(options);
  const openCalls = createOpenCalls();
  const own = publicUrl === '' ? {} : { publicOrigin: publicUrl };
  return async function serveMcp(request, response) {
    if (request.originalUrl.split('?')[0] !== MCP_PATH) throw new EndpointNotFound(request.method, request.path, []);
    if (!isOriginAllowed(request.headers.origin, { ...own, host: request.headers.host })) return refuseOrigin(response);
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST');
      return writePostResponse(
        response,
        refusal(INVALID_REQUEST, 'Only POST: this server has no sessions and no streams.', 405),
      );
    }
    response.setHeader('www-authenticate', 'Bearer realm="weft"');
    const caller = await readCaller(request, response);
    response.removeHeader('www-authenticate');
    const end = openCalls.begin(caller.principal.userId);
    response.once('close', end);
    const owner = { ownerId: caller.principal.userId, workflowId: '' };
    const read = await readRpcBody(request, response, owner, options.readBody, MAX_BODY_BYTES);
    if ('refused' in read) return writePostResponse(response, read.refused);
    const host = createMcpHost({ ...caller, clients, commit, logger });
    await writePostResponse(
      response,
      await answerPost(host, { headers: request.headers, body: read.body, signal: clientSignal(response) }),
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
