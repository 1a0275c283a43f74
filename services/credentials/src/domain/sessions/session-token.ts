import { createHash, randomBytes } from 'node:crypto';

/** A session token with the id under which its session is stored. */
export interface SessionToken {
  /** 256 random bits in base64url. */
  readonly token: string;
  /** SHA-256 of the token: the store cannot give a token away. */
  readonly id: string;
}

const idOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** A new session token. */
export const makeSessionToken = (): SessionToken => {
  const token = randomBytes(32).toString('base64url');
  return { token, id: idOf(token) };
};

/** The id under which a token's session is stored; undefined if the text cannot be a token. */
export const sessionIdOf = (token: string): string | undefined =>
  /^[A-Za-z0-9_-]{43}$/.test(token) ? idOf(token) : undefined;
