import {
  type CountedUser,
  rateLimitExceeded,
  readUserProof,
  type UserProof,
  type VerifyUser,
} from '@weft/service-kit/auth';
import { toServiceError, Unauthorized } from '@weft/service-kit/errors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientAddress, type ProxyTrust } from './client-origin';

/** Time since which Basic authentication is deprecated (RFC 9745), in Unix seconds: the first release. */
const BASIC_DEPRECATED_SINCE = 1_735_689_600;

/** A header that may have been sent several times. */
export const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/** Dependencies of authentication. */
export interface AuthenticationOptions extends Pick<ProxyTrust, 'trustProxy'> {
  readonly verifyUser: VerifyUser;
  /** True if the API accepts Basic. */
  readonly basicAuth: boolean;
}

const API_KEY_CHALLENGE = 'ApiKey realm="weft"';
/** Clients that wait for a challenge send Basic only after this one. */
const BASIC_CHALLENGE = 'Basic realm="weft", charset="UTF-8"';

/** Where the deprecation is explained. There is no Sunset header, because no date of the removal is set (RFC 8594). */
const DEPRECATION_LINK = '</docs/#authentication>; rel="deprecation"; type="text/html"';

/** Where to learn how to call the API (RFC 8631). */
export const API_LINKS = '</docs/>; rel="service-doc", </api/v1/openapi.json>; rel="service-desc"';

/** Says which credentials are wrong. An API key takes precedence, so Basic was sent without one. */
const refusalOf = (
  proof: UserProof | undefined,
  authorization: string | undefined,
  basicAuth: boolean,
): Unauthorized => {
  const isBasic = proof?.kind === 'basic' || (proof === undefined && /^basic\b/i.test(authorization ?? ''));
  if (!isBasic) return new Unauthorized();
  if (!basicAuth)
    return new Unauthorized('Basic authentication is off here: send an API key in the header X-SVC-API-KEY.');
  return new Unauthorized(
    proof === undefined
      ? 'The Authorization header is malformed: Basic needs an email and a password in base64.'
      : 'The email or the password is wrong, or the user is locked.',
  );
};

/** Authenticates and counts a request. Reads only headers, never the body. @throws Unauthorized */
export type Authenticate = (request: IncomingMessage, response: ServerResponse) => Promise<CountedUser>;

/** Authenticates a request by API key or Basic. Reads only headers, never the body. @throws Unauthorized */
export const authenticate = async (
  request: IncomingMessage,
  response: ServerResponse,
  { verifyUser, basicAuth, ...trust }: AuthenticationOptions,
): Promise<CountedUser> => {
  const { authorization, 'x-svc-api-key': apiKey } = request.headers;
  const proof = readUserProof(headerText(apiKey), authorization, clientAddress(request, trust));
  const refuse = (): Unauthorized => {
    // The caller of an event stream is verified again after its headers were sent.
    if (!response.headersSent) {
      response.setHeader('www-authenticate', basicAuth ? [API_KEY_CHALLENGE, BASIC_CHALLENGE] : API_KEY_CHALLENGE);
      response.setHeader('link', API_LINKS);
    }
    return refusalOf(proof, authorization, basicAuth);
  };
  if (proof === undefined) throw refuse();
  const user = await verifyUser(proof).catch((error: unknown) => {
    throw toServiceError(error).kind === 'unauthenticated' ? refuse() : error;
  });
  if (proof.kind === 'basic' && !response.headersSent) {
    response.setHeader('deprecation', `@${BASIC_DEPRECATED_SINCE}`);
    response.setHeader('link', DEPRECATION_LINK);
  }
  return user;
};

/**
 * Reports the caller's remaining requests, and refuses those over the limit. X-RateLimit-Reset is in Unix seconds. A
 * user without a limit gets no such headers.
 * @throws RateLimitExceeded
 */
export const applyRateLimit = (response: ServerResponse, user: CountedUser): void => {
  if (user.limit > 0) {
    response.setHeader('x-ratelimit-limit', user.limit);
    response.setHeader('x-ratelimit-remaining', Math.max(0, user.remaining));
    response.setHeader('x-ratelimit-reset', Math.ceil(user.resetAt.getTime() / 1000));
  }
  if (!user.isGranted) throw rateLimitExceeded(user);
};
