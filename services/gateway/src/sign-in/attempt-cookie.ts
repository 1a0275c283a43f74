import { readCookie } from '../http/cookies';
import type { IncomingMessage } from 'node:http';
import type { Attempt } from './provider';

const NAME = 'weft_sign_in';

/** Below which the browser sends the cookie: the pages of the sign-in alone. */
const PATH = '/settings/oidc';

/** Time to sign in at the provider, in seconds. */
const LIFETIME_S = 600;

/** Sent when the provider sends the browser back, which a strict cookie would not be. */
const ATTRIBUTES = `Path=${PATH}; HttpOnly; SameSite=Lax`;

const line = (value: string, maxAge: number, isSecure: boolean): string =>
  `${NAME}=${value}; ${ATTRIBUTES}; Max-Age=${maxAge}${isSecure ? '; Secure' : ''}`;

/** The Set-Cookie line that keeps an attempt in the browser that began it: no other can end it. */
export const attemptCookie = ({ state, nonce, verifier }: Attempt, isSecure: boolean): string =>
  line([state, nonce, verifier].join('.'), LIFETIME_S, isSecure);

/** The Set-Cookie line that ends the attempt, which holds once. */
export const endedAttemptCookie = (isSecure: boolean): string => line('', 0, isSecure);

/** The attempt of this browser; undefined if it has begun none, or too long ago. */
export const readAttempt = (request: Pick<IncomingMessage, 'headers'>): Attempt | undefined => {
  const [, state, nonce, verifier] =
    /^([\w-]{20,100})\.([\w-]{20,100})\.([\w-]{20,128})$/.exec(readCookie(request, NAME) ?? '') ?? [];
  if (state === undefined || nonce === undefined || verifier === undefined) return undefined;
  return { state, nonce, verifier };
};
