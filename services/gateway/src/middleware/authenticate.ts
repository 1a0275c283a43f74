import { type CountedUser, rateLimitExceeded, readUserProof, type VerifyUser } from '@weft/service-kit/auth';
import { Unauthorized } from '@weft/service-kit/errors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientAddress, type ProxyTrust } from './client-origin';

/** Time since which Basic authentication is deprecated (RFC 9745), in Unix seconds: the first release. */
const BASIC_DEPRECATED_SINCE = 1_735_689_600;

const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/** Authenticates a request by API key or Basic. Reads only headers, never the body. @throws Unauthorized */
export const authenticate = async (
  request: IncomingMessage,
  response: ServerResponse,
  verifyUser: VerifyUser,
  trust: Pick<ProxyTrust, 'trustProxy'>,
): Promise<CountedUser> => {
  const { authorization, 'x-svc-api-key': apiKey } = request.headers;
  const proof = readUserProof(headerText(apiKey), authorization, clientAddress(request, trust));
  if (proof === undefined) throw new Unauthorized();
  const user = await verifyUser(proof);
  if (proof.kind === 'basic' && !response.headersSent) response.setHeader('deprecation', `@${BASIC_DEPRECATED_SINCE}`);
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
