import { createHash } from 'node:crypto';
import { isExpiring, type JsonObject, type OAuth2Tokens, oauth2TokensOf } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import type { Exchange, ExchangeRun } from './exchange';
import { withToken } from './oauth2';

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/**
 * OAuth 2 with a user's sign-in: sends requests with the access token of the credential. Only the credentials service
 * refreshes tokens, so that one refresh serves all runs. If the token is about to expire, or the server responds with
 * 401, the credential is read again; if its token was issued since, the request is sent again.
 * @throws NodeFailure if the credential has no token
 */
export function loginExchange(type: string, data: JsonObject, run: ExchangeRun): Exchange {
  let current = tokensOf(type, data);
  /** Reads of the credential under way, by the token that they replace. */
  const underWay = new Map<string, Promise<OAuth2Tokens>>();
  /** The last token that a service refused and that could not be replaced. */
  let refused: string | undefined;

  const renewed = (old: OAuth2Tokens, isRefused: boolean): Promise<OAuth2Tokens> => {
    if (run.readAgain === undefined) return Promise.resolve(old);
    const present = underWay.get(old.accessToken);
    if (present !== undefined) return present;
    const work = run
      .readAgain(type, isRefused ? hashOf(old.accessToken) : undefined)
      .then((next) => tokensOf(type, next))
      .finally(() => underWay.delete(old.accessToken));
    underWay.set(old.accessToken, work);
    return work;
  };

  return async (request, send) => {
    if (isExpiring(current, run.now())) current = await renewed(current, false);
    const used = current;
    run.hide(used.accessToken);
    const response = await send(withToken(request, used.accessToken));
    if (response.status !== 401 || used.accessToken === refused) return response;
    const next = current === used ? await renewed(used, true) : current;
    const isSameToken = next.accessToken === used.accessToken;
    if (isSameToken && next.issuedAt === used.issuedAt) {
      refused = used.accessToken;
      return response;
    }
    current = next;
    run.hide(next.accessToken);
    const repeated = await send(withToken(request, next.accessToken));
    // Some services issue the token that they have just refused again, and accept it then.
    if (isSameToken && repeated.status === 401) refused = next.accessToken;
    return repeated;
  };
}

function tokensOf(type: string, data: JsonObject): OAuth2Tokens {
  const tokens = oauth2TokensOf(data);
  if (tokens !== undefined) return tokens;
  throw new NodeFailure(`The credential of type ${type} has no token.`, {
    description:
      'Sign in: open the credential in the console and choose Sign in. Or use the grant type clientCredentials.',
  });
}
