import express, { type Express, type RequestHandler } from 'express';
import { EndpointNotFound } from '../errors';
import { answerErrors, beginRequest } from '../middleware/begin-request';
import type { OidcSettings } from '../sign-in/oidc-fields';
import { addSignInRoutes, SIGN_IN_PATHS } from '../sign-in/sign-in-routes';
import { PAGE_HEADER } from './check-same-site';
import { addPageRoutes, type PageOptions, SESSION_ROUTES } from './page-routes';

/** Dependencies and options of the addresses below /settings. */
export interface SettingsOptions extends PageOptions, OidcSettings {
  /** Path of the page that replaces /settings. */
  readonly home: string;
}

const SETTINGS = '/settings';
const SETTINGS_API = `${SETTINGS}/api`;

/** Paths below /settings. */
export const SETTINGS_PATHS: readonly string[] = [
  SETTINGS,
  ...new Set(SESSION_ROUTES.map(({ path }) => SETTINGS_API + path)),
  ...SIGN_IN_PATHS,
];

const notFound: RequestHandler = (request) => {
  throw new EndpointNotFound(request.method, request.path, []);
};

/**
 * The addresses below /settings: the sign-in of the identity provider, where it is registered, and the session for
 * clients that sign in there. The page itself leads to the console; browsers keep the fragment of a link, so that
 * invitations that were sent before are accepted there.
 */
export const createSettingsApp = (options: SettingsOptions): Express => {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.use(beginRequest(options));
  app.get(SETTINGS, (_request, response) => {
    response
      .writeHead(302, { location: options.home, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .end();
  });
  addPageRoutes(app, SESSION_ROUTES, { prefix: SETTINGS_API, header: PAGE_HEADER }, options);
  addSignInRoutes(app, options);
  app.use(notFound);
  app.use(answerErrors(options.logger));
  return app;
};
