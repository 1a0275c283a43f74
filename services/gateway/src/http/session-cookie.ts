import type { IncomingMessage } from 'node:http';
import { readCookie } from './cookies';
import { hostCookie } from './own-cookies';

/**
 * Name of the cookie with the session of the console, without its prefix. Webhook responses may not set it.
 */
const SESSION_COOKIE = 'weft_session';

const ATTRIBUTES = 'HttpOnly; SameSite=Strict';

/** Paths below which a session is used. */
const PATHS = ['/console', '/settings'];

/**
 * The Set-Cookie lines with a value. Over http the cookie is sent only with requests below these paths. Over https
 * its prefix, which keeps other hosts and paths from setting it, requires the path `/`; the gateway removes it from
 * what workflows see. The name without the prefix is for gateways of release 0.1.0 during an update, and ignored here.
 */
const linesOf = (value: string, maxAge: number, isSecure: boolean): string[] => {
  const plain = (path: string): string => `${SESSION_COOKIE}=${value}; Path=${path}; ${ATTRIBUTES}; Max-Age=${maxAge}`;
  if (!isSecure) return PATHS.map(plain);
  const name = hostCookie(SESSION_COOKIE, isSecure);
  return [`${name}=${value}; Path=/; ${ATTRIBUTES}; Max-Age=${maxAge}; Secure`, `${plain('/settings')}; Secure`];
};

/** The Set-Cookie lines that open a session. */
export const sessionCookies = (token: string, expiresAt: Date, isSecure: boolean): string[] => {
  const seconds = Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000));
  return linesOf(encodeURIComponent(token), seconds, isSecure);
};

/** The Set-Cookie lines that end it. */
export const endedCookies = (isSecure: boolean): string[] => linesOf('', 0, isSecure);

/** The session token of a request; undefined if it has no readable one. */
export const readSessionToken = (request: Pick<IncomingMessage, 'headers'>, isSecure: boolean): string | undefined => {
  const value = readCookie(request, hostCookie(SESSION_COOKIE, isSecure)) ?? '';
  return /^[\w%.~-]{1,500}$/.test(value) ? safeDecode(value) : undefined;
};

const safeDecode = (value: string): string | undefined => {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
};
