import { createHash } from 'node:crypto';
import { ResumeTokenUnknown } from './errors';

const MAX_TOKEN_LENGTH = 500;

/**
 * Hash under which a token is stored: SHA-256, in hexadecimal. @throws ResumeTokenUnknown for what cannot be a token
 */
export const hashOfToken = (token: string): string => {
  if (token === '' || token.length > MAX_TOKEN_LENGTH) throw new ResumeTokenUnknown();
  return createHash('sha256').update(token).digest('hex');
};
