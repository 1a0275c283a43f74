import { createHash, randomBytes } from 'node:crypto';

/** A secret for one holder, with the hash that is stored. */
export interface Token {
  /** 256 random bits in base64url. */
  readonly token: string;
  /** SHA-256 of the token, so that the store does not reveal tokens. */
  readonly hash: string;
}

/** SHA-256 in base64url. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** 256 random bits in base64url. */
export const randomText = (): string => randomBytes(32).toString('base64url');

/** Generates a token. */
export const makeToken = (): Token => {
  const token = randomText();
  return { token, hash: hashOf(token) };
};

/** Hash of a token; undefined if the string does not have the format of one. */
export const tokenHashOf = (token: string): string | undefined =>
  /^[A-Za-z0-9_-]{43}$/.test(token) ? hashOf(token) : undefined;
