import {
  type CountedUser,
  createFailureLimit,
  type Principal,
  principalOf,
  readUserProof,
} from '@weft/service-kit/auth';
import { Unauthorized } from '@weft/service-kit/errors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clients } from '../clients';
import { readSessionToken } from '../http/session-cookie';
import { applyRateLimit, headerText } from '../middleware/authenticate';
import { clientAddress, clientShare, isHttps, type ProxyTrust } from '../middleware/client-origin';
import { checkSameSite } from '../console/check-same-site';
import { signedInUser } from '../console/signed-in-user';

/** The caller of a request. */
export interface McpCaller {
  readonly principal: Principal;
  /** Counts a further request. @throws RateLimitExceeded, Unauthorized */
  readonly admit: () => Promise<void>;
}

interface CallerOptions extends ProxyTrust {
  readonly clients: Clients;
}

/** The key in X-SVC-API-KEY, or in Authorization as MCP clients send it. */
const keyOf = ({ headers }: IncomingMessage): string | undefined => {
  const given = headers['x-svc-api-key'];
  if (given !== undefined) return headerText(given);
  return /^Bearer ([^\s]{1,1000})$/i.exec(headers.authorization ?? '')?.[1];
};

const NO_KEY =
  'Send an API key of Weft in the header Authorization: Bearer <key>. It is missing, malformed, wrong or deleted.';

/** Reads who calls: an API key, or the session of the console with the header against cross-site requests. */
export const createReadCaller = (options: CallerOptions) => {
  const wrongSessions = createFailureLimit();
  const { identity } = options.clients;
  return async (request: IncomingMessage, response: ServerResponse): Promise<McpCaller> => {
    const key = keyOf(request);
    if (key !== undefined) {
      const proof = readUserProof(key, undefined, clientAddress(request, options));
      if (proof === undefined) throw new Unauthorized(NO_KEY);
      const verify = async (): Promise<CountedUser> => {
        const user = await identity.verifyUser(proof);
        applyRateLimit(response, user);
        return user;
      };
      const principal = principalOf(await verify());
      return { principal, admit: async () => void (await verify()) };
    }
    const token = readSessionToken(request, isHttps(request, options));
    if (token === undefined) throw new Unauthorized(NO_KEY);
    checkSameSite(request, options);
    const user = await signedInUser(token, clientShare(request, options), { options, wrongSessions });
    return { principal: principalOf(user), admit: () => Promise.resolve() };
  };
};
