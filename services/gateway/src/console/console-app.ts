import express, { type Express } from 'express';
import type { RequestListener } from 'node:http';
import { EndpointNotFound } from '../errors';
import { type ApiOptions, createApi } from '../handlers/api';
import { answerErrors, beginRequest } from '../middleware/begin-request';
import { readConsoleFiles } from './console-files';
import { addPageRoutes, PAGE_ROUTES, type PageOptions } from './page-routes';
import { CONSOLE_API, CONSOLE_HEADER, CONSOLE_PATH, sessionAccess } from './session';

/** Dependencies and options of the console. */
export interface ConsoleOptions extends ApiOptions, PageOptions {}

/** Response header with the build that the gateway serves: an open page learns that it is out of date. */
const BUILD_HEADER = 'x-weft-console-build';

const PAGE_API = `${CONSOLE_PATH}/api`;

/** Paths of the console's own endpoints. */
export const CONSOLE_PATHS: readonly string[] = [...new Set(PAGE_ROUTES.map(({ path }) => PAGE_API + path))];

const createSignInApp = (options: ConsoleOptions): Express => {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.use(beginRequest(options));
  addPageRoutes(app, PAGE_ROUTES, { prefix: PAGE_API, header: CONSOLE_HEADER }, options);
  app.use((request) => {
    throw new EndpointNotFound(request.method, request.path, []);
  });
  app.use(answerErrors(options.logger));
  return app;
};

/**
 * The console below /console: its files, its sign-in, and the REST API with the session in place of an API key.
 * @throws Error if the console was not built
 */
export const createConsole = (options: ConsoleOptions): RequestListener => {
  const files = readConsoleFiles();
  const api = createApi(options, sessionAccess(options));
  const signIn = createSignInApp(options);
  return (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (!path.startsWith(`${PAGE_API}/`)) return files.serve(request, response);
    response.setHeader(BUILD_HEADER, files.build);
    if (path === CONSOLE_API || path.startsWith(`${CONSOLE_API}/`)) api(request, response);
    else signIn(request, response);
  };
};
