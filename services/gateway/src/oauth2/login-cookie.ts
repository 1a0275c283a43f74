import type { IncomingMessage } from 'node:http';
import { readCookie } from '../http/cookies';
import { hostCookie } from '../http/own-cookies';

/** Without its prefix. */
const NAME = 'weft_credential_login';

/** Path for which the browser sends the cookie over http: only the console. */
const PATH = '/console';

/** Time to sign in at the service, in seconds. */
const LIFETIME_S = 600;

/** Over https the prefix of the name keeps other hosts and paths from setting it, and requires the path `/`. */
const line = (value: string, maxAge: number, isSecure: boolean): string =>
  `${hostCookie(NAME, isSecure)}=${value}; Path=${isSecure ? '/' : PATH}; HttpOnly; SameSite=Strict; ` +
  `Max-Age=${maxAge}${isSecure ? '; Secure' : ''}`;

/** The Set-Cookie line with a sealed attempt, so that no other browser can complete it. */
export const loginCookie = (attempt: string, isSecure: boolean): string => line(attempt, LIFETIME_S, isSecure);

/** The Set-Cookie line that ends the attempt, which is valid once. */
export const endedLoginCookie = (isSecure: boolean): string => line('', 0, isSecure);

/** The sealed attempt of this browser; empty if it began none, or too long ago. */
export const readLoginCookie = (request: Pick<IncomingMessage, 'headers'>, isSecure: boolean): string => {
  const value = readCookie(request, hostCookie(NAME, isSecure)) ?? '';
  return /^[\w-]{1,4000}$/.test(value) ? value : '';
};
