import { principalOf, type CountedUser } from '@weft/service-kit/auth';
import { createSharedReads, type ShareReads } from '@weft/service-kit/batching';
import { InvalidRequest } from '@weft/service-kit/errors';
import express, { type Express, type RequestHandler } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clients } from '../clients';
import { noteIntent } from '../clients/send-start';
import { ApiRootRequested, EndpointNotFound } from '../errors';
import { API_LINKS, applyRateLimit, authenticate, type Authenticate } from '../middleware/authenticate';
import { compressAnswer, createCompression, type Compression } from '../middleware/responses/compress-answer';
import { answerErrors, beginRequest, type RequestOptions } from '../middleware/begin-request';
import { ingressOrigin, type ProxyTrust } from '../middleware/client-origin';
import type { ReadBody } from '../middleware/bodies/read-body';
import { readJsonBody } from '../middleware/bodies/read-json-body';
import { writeAnswer } from '../middleware/responses/write-answer';
import { serveEvents } from '../middleware/responses/serve-events';
import { makeDocument } from '../openapi/document';
import { serveDocument } from './reference/serve-document';
import type { BrowserSession, Route } from './api-handler';
import type { PageText } from './list-answer';
import { readQuery } from '../http/read-query';
import { API_ROOT, DOCUMENT_PATH, ROUTES } from './routes';

/** Dependencies and options of the API. */
export interface ApiOptions extends RequestOptions, ProxyTrust {
  readonly clients: Clients;
  readonly readBody: ReadBody;
  readonly buildCommit: string;
  /** True if the API accepts Basic. */
  readonly basicAuth: boolean;
}

/** Where the route table is served, and how its callers prove who they are. */
export interface ApiAccess {
  /** Common prefix of the paths. */
  readonly root: string;
  readonly authenticate: Authenticate;
  /** The browser of an authenticated request; absent for callers without one. */
  readonly browserOf?: (request: IncomingMessage) => BrowserSession | undefined;
}

/** Access by API key or Basic, at the public address. */
const keyAccess = ({ clients, trustProxy, basicAuth }: ApiOptions): ApiAccess => ({
  root: API_ROOT,
  authenticate: (request, response) =>
    authenticate(request, response, { verifyUser: clients.identity.verifyUser, basicAuth, trustProxy }),
});

/** An API with the way in which its callers are authenticated. */
type Served = ApiOptions & ApiAccess;

const EMPTY = Buffer.alloc(0);

/** Shared by the APIs of a process: the document is large to build and to compress. */
const serveOpenapi = serveDocument(makeDocument(ROUTES));

/** Checks authentication and rate limit by the headers only. @throws Unauthorized, RateLimitExceeded */
const admit = async (
  request: IncomingMessage,
  response: ServerResponse,
  { authenticate }: ApiAccess,
): Promise<CountedUser> => {
  const user = await authenticate(request, response);
  applyRateLimit(response, user);
  return user;
};

/** A parameter of the path; empty if the path does not have it. */
const textOf = (part: unknown): string => (typeof part === 'string' ? part : '');

/** Resources that all routes share. */
interface Shared {
  readonly sharePages: ShareReads<PageText>;
  readonly compression: Compression;
}

const serve = (route: Route, options: Served, { sharePages, compression }: Shared): RequestHandler => {
  return async function serveRoute(request, response) {
    if (route.starts === true) noteIntent();
    const principal = principalOf(await admit(request, response, options));
    const query = readQuery(request.query, route.query);
    const body = await readJsonBody(request, response, route.body, {
      readBody: options.readBody,
      owner: { ownerId: principal.userId, workflowId: '' },
    });
    const { id, ...others } = request.params;
    const [ref] = Object.values(others);
    const browser = options.browserOf?.(request);
    const answer = await route.handler(
      {
        principal,
        id: textOf(id),
        ref: textOf(ref),
        query,
        headers: request.headers,
        ingressOrigin: () => ingressOrigin(request, options),
        ...(browser === undefined ? {} : { browser }),
        commit: options.buildCommit,
        sharePage: (page, read) => sharePages(`${JSON.stringify(principal)} ${request.url} ${page}`, read),
        body: body?.value,
        bodyBytes: body?.bytes ?? EMPTY,
      },
      options.clients,
    );
    if ('open' in answer) await serveEvents(request, response, answer, options);
    else await writeAnswer(response, await compressAnswer(request, response, answer, compression));
  };
};

/** Last on each path: refuses the other methods, which count like any request of the key. */
const refuseMethod = (allowed: readonly string[], options: Served): RequestHandler =>
  async function refuseOtherMethod(request, response) {
    await admit(request, response, options);
    if (allowed.length > 0) response.setHeader('allow', allowed.join(', '));
    throw new EndpointNotFound(request.method, request.baseUrl + request.path, allowed);
  };

/** The root, which people open first: leads them to the reference. */
const leadToReference = (options: Served): RequestHandler =>
  async function leadToTheReference(request, response) {
    response.setHeader('link', API_LINKS);
    await admit(request, response, options);
    throw new ApiRootRequested();
  };

/** First on the API, because the router refuses an undecodable path before the caller is authenticated. */
const refuseUndecodable = (options: Served): RequestHandler =>
  async function refuseUndecodablePath(request, response, next) {
    try {
      decodeURIComponent(request.path);
    } catch {
      await admit(request, response, options);
      throw new InvalidRequest('The path cannot be decoded.');
    }
    next();
  };

const notFound: RequestHandler = (request) => {
  throw new EndpointNotFound(request.method, request.path, []);
};

/** Fixed paths before those with an id: `/executions/retry` is not an execution. */
const PATHS = [...new Set(ROUTES.map((route) => route.path))].sort(
  (one, other) => Number(one.includes(':')) - Number(other.includes(':')),
);

/**
 * The REST API. For each request: id and time limit, then authentication and rate limit, then query, body and handler.
 * Nothing is served outside the root of the access.
 */
export const createApi = (given: ApiOptions, access: ApiAccess = keyAccess(given)): Express => {
  const options = { ...given, ...access };
  const { root } = access;
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple').enable('case sensitive routing');
  app.use(beginRequest(options));
  app.use(root, refuseUndecodable(options));
  app.get(root + DOCUMENT_PATH, serveOpenapi);
  const shared = { sharePages: createSharedReads<PageText>(), compression: createCompression() };
  app.all([root, `${root}/`], leadToReference(options));
  for (const path of PATHS) {
    const rows = ROUTES.filter((route) => route.path === path);
    const node = app.route(root + path);
    for (const row of rows)
      node[row.method === 'GET' ? 'get' : row.method === 'POST' ? 'post' : row.method === 'PUT' ? 'put' : 'delete'](
        serve(row, options, shared),
      );
    node.all(
      refuseMethod(
        rows.map((row) => row.method),
        options,
      ),
    );
  }
  app.use(root, refuseMethod([], options));
  app.use(notFound);
  app.use(answerErrors(options.logger));
  return app;
};
