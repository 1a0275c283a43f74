import { readUserProof, type CountedUser, type VerifyUser } from '@weft/service-kit/auth';
import { Unauthorized } from '@weft/service-kit/errors';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** When Basic authentication became deprecated (RFC 9745), in Unix seconds: with the first release. */
const BASIC_DEPRECATED_SINCE = 1_735_689_600;

const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/**
 * Finds out whose request it is, by API key or by Basic. Reads headers alone, never the body.
 * @throws Unauthorized
 */
export const authenticate = async (
  request: IncomingMessage,
  response: ServerResponse,
  verifyUser: VerifyUser,
): Promise<CountedUser> => {
  const proof = readUserProof(headerText(request.headers['x-svc-api-key']), request.headers.authorization);
  if (proof === undefined) throw new Unauthorized();
  const user = await verifyUser(proof);
  if (proof.kind === 'basic') response.setHeader('deprecation', `@${BASIC_DEPRECATED_SINCE}`);
  return user;
};
