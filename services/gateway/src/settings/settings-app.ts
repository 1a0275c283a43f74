import { createFailureLimit, type FailureLimit } from '@weft/service-kit/auth';
import express, { type Express, type RequestHandler } from 'express';
import type { Clients } from '../clients';
import { EndpointNotFound } from '../errors';
import { answerErrors, beginRequest, type RequestOptions } from '../middleware/begin-request';
import { clientAddress, clientShare, isHttps, type ProxyTrust } from '../middleware/client-origin';
import type { ReadBody } from '../middleware/read-body';
import { readJsonBody } from '../middleware/read-json-body';
import { writeAnswer } from '../middleware/write-answer';
import { readQuery } from '../http/read-query';
import { createApiKey, deleteApiKey, listApiKeys } from '../identity/api-keys';
import { AUDIT_QUERY, listAudit } from '../identity/audit';
import { grantCredential, listCredentialGrants, revokeCredential } from '../identity/credential-grants';
import { createInvitation, deleteInvitation, listInvitations, resetPassword } from '../identity/invitations';
import {
  addProjectMember,
  createProject,
  deleteProject,
  listProjectMembers,
  putProjectMember,
  removeProjectMember,
  renameProject,
} from '../identity/projects';
import {
  changeUserRole,
  deleteUser,
  deleteUserApiKey,
  listUserApiKeys,
  lockUser,
  signOutUser,
  TRANSFER_TO,
  unlockUser,
} from '../identity/users';
import type { OidcSettings } from '../sign-in/oidc-fields';
import { addSignInRoutes, SIGN_IN_PATHS } from '../sign-in/sign-in-routes';
import { checkSameSite, PAGE_HEADER } from './check-same-site';
import { readPageFiles } from './page-files';
import { readSessionToken } from '../http/session-cookie';
import { getProvider, getSession, getSetup, setUpOwner, signIn, signOut } from './sessions';
import type { SettingsRoute } from './settings-handler';
import { signedInUser } from './signed-in-user';
import { listPageCredentials } from './credentials';
import { listPageProjectNames, listPageProjects } from './projects';
import { acceptInvitation, forSession, getInvitation, listPageUsers, signOutEverywhere } from './users';

/** Dependencies and options of the endpoints of a page. */
export interface PageOptions extends RequestOptions, ProxyTrust, Pick<OidcSettings, 'oidcIssuer'> {
  readonly clients: Clients;
  readonly readBody: ReadBody;
}

/** Dependencies and options of the settings page. */
export interface SettingsOptions extends PageOptions, OidcSettings {
  /** Folder with the files of the page. */
  readonly webFolder: string;
}

const PROVIDER_LABEL = 'Sign in with single sign-on';

/** Endpoints for setting up, signing in and signing out, of the console as well. */
export const SIGN_IN_ROUTES: readonly SettingsRoute[] = [
  { method: 'get', path: '/session', body: 'none', handler: getSession },
  { method: 'post', path: '/session', body: 'required', handler: signIn },
  { method: 'delete', path: '/session', body: 'none', handler: signOut },
  { method: 'get', path: '/provider', body: 'none', handler: getProvider },
  { method: 'get', path: '/setup', body: 'none', handler: getSetup },
  { method: 'post', path: '/setup', body: 'required', handler: setUpOwner },
];

/** The page's own endpoints. They accept only sessions: an API key is useless here, as a session is in the API. */
const ROUTES: readonly SettingsRoute[] = [
  ...SIGN_IN_ROUTES,
  { method: 'get', path: '/keys', body: 'none', handler: forSession(listApiKeys) },
  { method: 'post', path: '/keys', body: 'required', handler: forSession(createApiKey) },
  { method: 'delete', path: '/keys/:id', body: 'none', handler: forSession(deleteApiKey) },
  { method: 'delete', path: '/sessions', body: 'none', handler: signOutEverywhere },
  { method: 'post', path: '/invitation', body: 'required', handler: getInvitation },
  { method: 'post', path: '/invitation/accept', body: 'required', handler: acceptInvitation },
  { method: 'get', path: '/users', body: 'none', handler: listPageUsers },
  { method: 'put', path: '/users/:id', body: 'required', handler: forSession(changeUserRole) },
  { method: 'delete', path: '/users/:id', query: [TRANSFER_TO], body: 'none', handler: forSession(deleteUser) },
  { method: 'post', path: '/users/:id/lock', body: 'none', handler: forSession(lockUser) },
  { method: 'post', path: '/users/:id/unlock', body: 'none', handler: forSession(unlockUser) },
  { method: 'post', path: '/users/:id/sign-out', body: 'none', handler: forSession(signOutUser) },
  { method: 'post', path: '/users/:id/reset-password', body: 'none', handler: forSession(resetPassword) },
  { method: 'get', path: '/users/:id/keys', body: 'none', handler: forSession(listUserApiKeys) },
  { method: 'delete', path: '/users/:id/keys/:keyId', body: 'none', handler: forSession(deleteUserApiKey) },
  { method: 'get', path: '/projects', body: 'none', handler: listPageProjects },
  { method: 'post', path: '/projects', body: 'required', handler: forSession(createProject) },
  { method: 'put', path: '/projects/:id', body: 'required', handler: forSession(renameProject) },
  { method: 'delete', path: '/projects/:id', body: 'none', handler: forSession(deleteProject) },
  { method: 'get', path: '/projects/:id/members', body: 'none', handler: forSession(listProjectMembers) },
  { method: 'post', path: '/projects/:id/members', body: 'required', handler: forSession(addProjectMember) },
  { method: 'put', path: '/projects/:id/members/:userId', body: 'required', handler: forSession(putProjectMember) },
  { method: 'delete', path: '/projects/:id/members/:userId', body: 'none', handler: forSession(removeProjectMember) },
  { method: 'get', path: '/project-names', body: 'none', handler: listPageProjectNames },
  { method: 'get', path: '/credentials', body: 'none', handler: listPageCredentials },
  { method: 'get', path: '/credentials/:id/grants', body: 'none', handler: forSession(listCredentialGrants) },
  { method: 'put', path: '/credentials/:id/grants/:grantedTo', body: 'none', handler: forSession(grantCredential) },
  { method: 'delete', path: '/credentials/:id/grants/:grantedTo', body: 'none', handler: forSession(revokeCredential) },
  { method: 'get', path: '/audit', query: AUDIT_QUERY, body: 'none', handler: forSession(listAudit) },
  { method: 'get', path: '/invitations', body: 'none', handler: forSession(listInvitations) },
  { method: 'post', path: '/invitations', body: 'required', handler: forSession(createInvitation) },
  { method: 'delete', path: '/invitations/:id', body: 'none', handler: forSession(deleteInvitation) },
];

/** Maximum body of the page's requests, which are read before anyone is signed in. */
const MAX_PAGE_BODY_BYTES = 64 * 1024;

export const SETTINGS_PATHS: readonly string[] = [
  ...new Set([...ROUTES.map(({ path }) => `/settings/api${path}`), ...SIGN_IN_PATHS]),
];

interface Served {
  readonly options: PageOptions;
  /** Header that only the page sends. */
  readonly header: string;
  /** Limits wrong session tokens like wrong keys. */
  readonly wrongSessions: FailureLimit;
}

const serve = (route: SettingsRoute, served: Served): RequestHandler =>
  async function serveSettingsRoute(request, response) {
    const { options } = served;
    if (route.method !== 'get') checkSameSite(request, options, served.header);
    const body = await readJsonBody(request, response, route.body, {
      readBody: options.readBody,
      maxBytes: MAX_PAGE_BODY_BYTES,
    });
    const { id, ...others } = request.params;
    const [ref] = Object.values(others);
    const isSecure = isHttps(request, options);
    const sessionToken = readSessionToken(request, isSecure);
    const answer = await route.handler(
      {
        id: typeof id === 'string' ? id : '',
        ref: typeof ref === 'string' ? ref : '',
        query: readQuery(request.query, route.query ?? []),
        body: body?.value,
        sessionToken,
        clientAddress: clientAddress(request, options),
        providerLabel: options.oidcIssuer === '' ? undefined : PROVIDER_LABEL,
        isSecure,
        signedIn: () => signedInUser(sessionToken, clientShare(request, options), served),
      },
      options.clients,
    );
    await writeAnswer(response, answer);
  };

const notFound: RequestHandler = (request) => {
  throw new EndpointNotFound(request.method, request.path, []);
};

/** Adds endpoints of a page. @param at prefix of their paths and the header that only the page sends */
export const addPageRoutes = (
  app: Express,
  routes: readonly SettingsRoute[],
  at: { readonly prefix: string; readonly header: string },
  options: PageOptions,
): void => {
  const served = { options, header: at.header, wrongSessions: createFailureLimit() };
  for (const route of routes) app[route.method](at.prefix + route.path, serve(route, served));
};

/** The settings page and its endpoints, below /settings. */
export const createSettingsApp = (options: SettingsOptions): Express => {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.use(beginRequest(options));
  for (const [path, answer] of readPageFiles(options.webFolder, options)) app.get(`/settings${path}`, answer);
  addPageRoutes(app, ROUTES, { prefix: '/settings/api', header: PAGE_HEADER }, options);
  addSignInRoutes(app, options);
  app.use(notFound);
  app.use(answerErrors(options.logger));
  return app;
};
