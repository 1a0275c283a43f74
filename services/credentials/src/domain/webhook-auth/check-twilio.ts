import { createHash, createHmac } from 'node:crypto';
import { isSameSecret } from '../same-secret';
import { grantedBy, MISSING, WRONG, type AuthOutcome, type Headers } from './outcome';

const HEADER = 'x-twilio-signature';

/** Parameter of the address that has the SHA-256 of the body in hexadecimal. */
const DIGEST = 'bodySHA256';

/**
 * Checks a call of Twilio's event streams: the address, which contains the digest of the body, is signed with
 * HMAC-SHA1.
 * @param body undefined: not read yet
 */
export const checkTwilio = (key: string, headers: Headers, body: Buffer | undefined, url: string): AuthOutcome => {
  const sent = headers.get(HEADER);
  if (sent === undefined) return MISSING;
  const digest = URL.parse(url)?.searchParams.get(DIGEST) ?? '';
  const right = createHmac('sha1', key).update(url).digest('base64');
  if (!/^[0-9a-f]{64}$/i.test(digest) || !isSameSecret(sent, right)) return WRONG;
  if (body === undefined) return { kind: 'needs-body', secretHeader: HEADER };
  const actual = createHash('sha256').update(body).digest('hex');
  return isSameSecret(digest.toLowerCase(), actual) ? grantedBy(HEADER) : WRONG;
};
