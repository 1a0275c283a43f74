import { readCookie } from '../http/cookies';
import { hostCookie } from '../http/own-cookies';
import type { IncomingMessage } from 'node:http';
import type { Attempt } from './provider';

/** Without its prefix. */
const NAME = 'weft_sign_in';

/** Path for which the browser sends the cookie over http: only the sign-in pages. */
const PATH = '/settings/oidc';

/** Time to sign in at the provider, in seconds. */
const LIFETIME_S = 600;

/** Sent when the provider redirects the browser back, unlike a strict cookie. */
const ATTRIBUTES = 'HttpOnly; SameSite=Lax';

/** Over https the prefix of the name keeps other hosts and paths from setting it, and requires the path `/`. */
const line = (value: string, maxAge: number, isSecure: boolean): string =>
  `${hostCookie(NAME, isSecure)}=${value}; Path=${isSecure ? '/' : PATH}; ${ATTRIBUTES}; Max-Age=${maxAge}` +
  (isSecure ? '; Secure' : '');

/** The Set-Cookie line that stores an attempt in the browser that began it, so that no other can complete it. */
export const attemptCookie = ({ state, nonce, verifier }: Attempt, isSecure: boolean): string =>
  line([state, nonce, verifier].join('.'), LIFETIME_S, isSecure);

/** The Set-Cookie line that ends the attempt, which is valid once. */
export const endedAttemptCookie = (isSecure: boolean): string => line('', 0, isSecure);

/** The attempt of this browser; undefined if it began none, or too long ago. */
export const readAttempt = (request: Pick<IncomingMessage, 'headers'>, isSecure: boolean): Attempt | undefined => {
  const value = readCookie(request, hostCookie(NAME, isSecure)) ?? '';
  const [, state, nonce, verifier] = /^([\w-]{20,100})\.([\w-]{20,100})\.([\w-]{20,128})$/.exec(value) ?? [];
  if (state === undefined || nonce === undefined || verifier === undefined) return undefined;
  return { state, nonce, verifier };
};
