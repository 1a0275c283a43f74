import { Role as RoleMessage } from '@weft/proto/identity';
import type { Role } from '@weft/service-kit/auth';
import { isRetryable, messageOf, ServiceError } from '@weft/service-kit/errors';
import { createShares } from '@weft/service-kit/in-flight';
import type { Logger } from '@weft/service-kit/logging';
import type { Express, RequestHandler } from 'express';
import type { IncomingMessage } from 'node:http';
import type { Clients } from '../clients';
import { clientAddress, clientShare, isHttps, type ProxyTrust, requestOrigin } from '../middleware/client-origin';
import { sessionCookies } from '../http/session-cookie';
import { attemptCookie, endedAttemptCookie, readAttempt } from './attempt-cookie';
import { roleOfGroups, type OidcSettings } from './oidc-fields';
import { type Attempt, createProvider, type Provider, type ProvenPerson } from './provider';

/** The browser's next address, and its Set-Cookie lines. */
interface Outcome {
  readonly location: string;
  readonly cookies?: readonly string[];
}

/** Dependencies and options of the routes. */
export interface SignInOptions extends OidcSettings, ProxyTrust {
  readonly clients: Clients;
  readonly logger: Logger;
}

const BEGIN_PATH = '/settings/oidc/begin';
const RETURN_PATH = '/settings/oidc/return';

/** Paths of the routes. The second is the redirect URI to register at the provider. */
export const SIGN_IN_PATHS: readonly string[] = [BEGIN_PATH, RETURN_PATH];

/** Why the sign-in failed, in addition to SIGN_IN_REFUSED; the page has a sentence for each. */
type Failure = 'unavailable' | 'busy' | 'expired' | 'declined' | 'failed';

/** Maximum concurrent attempts with a call to the provider. */
const MAX_CALLS = 20;
/** Maximum of these per client address. */
const MAX_CALLS_OF_CLIENT = 4;

const ROLES: Readonly<Record<Role, RoleMessage>> = {
  owner: RoleMessage.ROLE_OWNER,
  admin: RoleMessage.ROLE_ADMIN,
  editor: RoleMessage.ROLE_EDITOR,
  viewer: RoleMessage.ROLE_VIEWER,
};

const messageFor = (role: Role | undefined): RoleMessage =>
  role === undefined ? RoleMessage.ROLE_UNSPECIFIED : ROLES[role];

const openSession = (
  { clients, oidcGroupRoles, oidcNewUsers }: SignInOptions,
  { groups, ...person }: ProvenPerson,
  address: string,
) =>
  clients.identity.sessions.signInWithIdentity({
    ...person,
    rolesByGroup: oidcGroupRoles.length > 0,
    groupRole: messageFor(roleOfGroups(oidcGroupRoles, groups)),
    newUserRole: messageFor(oidcNewUsers === 'off' ? undefined : oidcNewUsers),
    clientAddress: address,
  });

/** Why an identified person was not signed in; undefined if it cannot be shown. */
const refusalOf = (error: unknown): string | undefined => {
  if (!(error instanceof ServiceError)) return undefined;
  if (error.reason === 'SIGN_IN_REFUSED') return error.details['because'];
  return isRetryable(error.kind) || error.kind === 'conflict' ? ('busy' satisfies Failure) : undefined;
};

/** The page that a sign-in began on, and returns to. */
const PAGE = '/console/';

/** Redirects back to the page, which shows what happened. */
const refused = (failure: string): Outcome => ({ location: `${PAGE}#refused=${failure}` });

/** Adds the routes for signing in with a provider, if there is one. */
export const addSignInRoutes = (app: Express, options: SignInOptions): void => {
  if (options.oidcIssuer === '') return;
  const { logger } = options;
  const provider: Provider = createProvider(options);
  const calls = createShares(MAX_CALLS, MAX_CALLS_OF_CLIENT);

  const begin = async (request: IncomingMessage): Promise<Outcome> => {
    try {
      const { url, attempt } = await provider.begin(requestOrigin(request, options) + RETURN_PATH);
      return { location: url.href, cookies: [attemptCookie(attempt, isHttps(request, options))] };
    } catch (error) {
      logger.warn({ reason: messageOf(error) }, 'the identity provider cannot be reached');
      return refused('unavailable' satisfies Failure);
    }
  };

  const prove = async (attempt: Attempt | undefined, returned: URL): Promise<ProvenPerson | Failure> => {
    // An attempt of another browser is ignored: its code would sign in someone else here.
    if (attempt === undefined || returned.searchParams.get('state') !== attempt.state) return 'expired';
    try {
      return await provider.finish(returned, attempt);
    } catch (error) {
      if (returned.searchParams.get('error') === 'access_denied') return 'declined';
      logger.warn({ reason: messageOf(error) }, 'a sign-in with the identity provider failed');
      return 'failed';
    }
  };

  const finish = async (request: IncomingMessage): Promise<Outcome> => {
    const isSecure = isHttps(request, options);
    const cookies = [endedAttemptCookie(isSecure)];
    const returned = new URL(request.url ?? '', requestOrigin(request, options));
    const attempt = readAttempt(request, isSecure);
    const person = await prove(attempt, returned);
    if (typeof person === 'string') return { ...refused(person), cookies };
    try {
      const { sessionToken, expiresAt } = await openSession(options, person, clientAddress(request, options));
      if (expiresAt === undefined) throw new Error('A session was opened, and the answer left out its end.');
      return {
        location: PAGE,
        cookies: [...cookies, ...sessionCookies(sessionToken, expiresAt, isSecure)],
      };
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined)
        logger.error({ err: error }, 'a user whom the identity provider authenticated could not be signed in');
      return { ...refused(refusal ?? ('failed' satisfies Failure)), cookies };
    }
  };

  const withinShare = async (client: string, work: () => Promise<Outcome>): Promise<Outcome> => {
    if (!calls.take(client, 1)) return refused('busy' satisfies Failure);
    try {
      return await work();
    } finally {
      calls.give(client, 1);
    }
  };

  const serve =
    (act: (request: IncomingMessage) => Promise<Outcome>): RequestHandler =>
    async (request, response) => {
      const client = clientShare(request, options);
      const { location, cookies = [] } = await withinShare(client, () => act(request));
      if (response.headersSent || response.destroyed) return;
      response
        .writeHead(303, {
          location,
          'content-length': 0,
          ...(cookies.length === 0 ? {} : { 'set-cookie': [...cookies] }),
        })
        .end();
    };

  app.get(BEGIN_PATH, serve(begin));
  app.get(RETURN_PATH, serve(finish));
};
