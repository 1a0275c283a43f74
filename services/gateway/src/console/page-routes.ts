import { createFailureLimit, type FailureLimit } from '@weft/service-kit/auth';
import type { Express, RequestHandler } from 'express';
import type { Clients } from '../clients';
import { readSessionToken } from '../http/session-cookie';
import type { RequestOptions } from '../middleware/begin-request';
import { clientAddress, clientShare, isHttps, type ProxyTrust } from '../middleware/client-origin';
import type { ReadBody } from '../middleware/bodies/read-body';
import { readJsonBody } from '../middleware/bodies/read-json-body';
import { writeAnswer } from '../middleware/responses/write-answer';
import { finishLogin } from '../oauth2/finish-login';
import { readLoginCookie } from '../oauth2/login-cookie';
import type { OidcSettings } from '../sign-in/oidc-fields';
import { checkSameSite } from './check-same-site';
import { acceptInvitation, getInvitation } from './invitations';
import type { PageRoute } from './page-handler';
import { changePassword, getProvider, getSession, getSetup, setUpOwner, signIn, signOut } from './sessions';
import { signedInUser } from './signed-in-user';

/** Dependencies and options of the endpoints of a page. */
export interface PageOptions extends RequestOptions, ProxyTrust, Pick<OidcSettings, 'oidcIssuer'> {
  readonly clients: Clients;
  readonly readBody: ReadBody;
}

const PROVIDER_LABEL = 'Sign in with single sign-on';

/** Endpoints for signing in and out. */
export const SESSION_ROUTES: readonly PageRoute[] = [
  { method: 'get', path: '/session', body: 'none', handler: getSession },
  { method: 'post', path: '/session', body: 'required', handler: signIn },
  { method: 'delete', path: '/session', body: 'none', handler: signOut },
];

/** Endpoints of the console outside of sessions and about them, in addition to the REST API. */
export const PAGE_ROUTES: readonly PageRoute[] = [
  ...SESSION_ROUTES,
  { method: 'put', path: '/password', body: 'required', handler: changePassword },
  { method: 'post', path: '/oauth2', body: 'required', handler: finishLogin },
  { method: 'get', path: '/provider', body: 'none', handler: getProvider },
  { method: 'get', path: '/setup', body: 'none', handler: getSetup },
  { method: 'post', path: '/setup', body: 'required', handler: setUpOwner },
  { method: 'post', path: '/invitation', body: 'required', handler: getInvitation },
  { method: 'post', path: '/invitation/accept', body: 'required', handler: acceptInvitation },
];

/** Maximum body of the page's requests, which are read before anyone is signed in. */
const MAX_PAGE_BODY_BYTES = 64 * 1024;

interface Served {
  readonly options: PageOptions;
  /** Header that only the page sends. */
  readonly header: string;
  /** Limits wrong session tokens like wrong keys. */
  readonly wrongSessions: FailureLimit;
}

const serve = (route: PageRoute, served: Served): RequestHandler =>
  async function servePageRoute(request, response) {
    const { options } = served;
    if (route.method !== 'get') checkSameSite(request, options, served.header);
    const body = await readJsonBody(request, response, route.body, {
      readBody: options.readBody,
      maxBytes: MAX_PAGE_BODY_BYTES,
    });
    const isSecure = isHttps(request, options);
    const sessionToken = readSessionToken(request, isSecure);
    const answer = await route.handler(
      {
        body: body?.value,
        sessionToken,
        loginAttempt: readLoginCookie(request, isSecure),
        clientAddress: clientAddress(request, options),
        providerLabel: options.oidcIssuer === '' ? undefined : PROVIDER_LABEL,
        isSecure,
        signedIn: () => signedInUser(sessionToken, clientShare(request, options), served),
      },
      options.clients,
    );
    await writeAnswer(response, answer);
  };

/** Adds endpoints of a page. @param at prefix of their paths and the header that only the page sends */
export const addPageRoutes = (
  app: Express,
  routes: readonly PageRoute[],
  at: { readonly prefix: string; readonly header: string },
  options: PageOptions,
): void => {
  const served = { options, header: at.header, wrongSessions: createFailureLimit() };
  for (const route of routes) app[route.method](at.prefix + route.path, serve(route, served));
};
