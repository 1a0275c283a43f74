import { Forbidden, Unauthorized } from '@weft/service-kit/errors';
import type { IncomingMessage } from 'node:http';
import type { Clients } from '../clients';
import type { ApiAccess } from '../handlers/api';
import { readSessionToken } from '../http/session-cookie';
import { clientAddress, isHttps, type ProxyTrust, requestOrigin } from '../middleware/client-origin';
import { checkSameSite } from './check-same-site';

/** Prefix of the console's paths. */
export const CONSOLE_PATH = '/console';

/** Prefix under which the console calls the REST API. */
export const CONSOLE_API = `${CONSOLE_PATH}/api/v1`;

/** A header that only the console sends: another site would need a CORS permission that is never granted. */
export const CONSOLE_HEADER = 'x-weft-console';

/** Dependencies and options of access by session. */
export interface SessionAccessOptions extends ProxyTrust {
  readonly clients: Pick<Clients, 'identity'>;
}

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/**
 * Access to the REST API for the console: by the session cookie alone, an API key is ignored. Pages of other sites can
 * change nothing, and cannot read: a stream would hold a connection open with the session of their visitor.
 */
export const sessionAccess = ({ clients, ...trust }: SessionAccessOptions): ApiAccess => ({
  root: CONSOLE_API,
  authenticate: async (request) => {
    if (request.headers['sec-fetch-site'] === 'cross-site') throw new Forbidden('Cross-site requests are refused.');
    if (!isRead(request)) checkSameSite(request, trust, CONSOLE_HEADER);
    const token = readSessionToken(request, isHttps(request, trust));
    if (token === undefined) throw new Unauthorized('Not signed in.');
    return clients.identity.verifySession({ token, clientAddress: clientAddress(request, trust) });
  },
  browserOf: (request) => {
    const isSecure = isHttps(request, trust);
    const sessionToken = readSessionToken(request, isSecure);
    return sessionToken === undefined ? undefined : { sessionToken, isSecure, origin: requestOrigin(request, trust) };
  },
});
