import type { IncomingMessage } from 'node:http';
import { readCookie } from './cookies';

/** Name of the cookie with the session of the settings page. Webhook responses may not set it. */
export const SESSION_COOKIE = 'weft_session';

/** Sent only with requests of the settings page, never to the API or to webhooks. */
const ATTRIBUTES = 'Path=/settings; HttpOnly; SameSite=Strict';

const withSecure = (cookie: string, isSecure: boolean): string => (isSecure ? `${cookie}; Secure` : cookie);

/** The Set-Cookie line that opens a session. */
export const sessionCookie = (token: string, expiresAt: Date, isSecure: boolean): string => {
  const seconds = Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000));
  return withSecure(`${SESSION_COOKIE}=${encodeURIComponent(token)}; ${ATTRIBUTES}; Max-Age=${seconds}`, isSecure);
};

/** The Set-Cookie line that ends it. */
export const endedCookie = (isSecure: boolean): string =>
  withSecure(`${SESSION_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`, isSecure);

/** The session token of a request; undefined if it has no readable one. */
export const readSessionToken = (request: Pick<IncomingMessage, 'headers'>): string | undefined => {
  const value = readCookie(request, SESSION_COOKIE) ?? '';
  return /^[\w%.~-]{1,500}$/.test(value) ? safeDecode(value) : undefined;
};

const safeDecode = (value: string): string | undefined => {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
};
