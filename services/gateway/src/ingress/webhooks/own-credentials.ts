import type { IncomingMessage } from 'node:http';
import { isOwnCookie } from '../../http/own-cookies';

type Headers = IncomingMessage['headers'];

/** An API key of this service, anywhere in a header. */
const API_KEY = /\bweft_[A-Za-z0-9]{36}/;

const holdsApiKey = (value: string | string[] | undefined): boolean => API_KEY.test(String(value ?? ''));

const withoutOwnCookies = (cookies: string): string =>
  cookies
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => !isOwnCookie(cookie))
    .join('; ');

/**
 * The headers of a caller without its credentials for this service, which would otherwise be visible in the run data:
 * X-SVC-API-KEY, any header with an API key, and the cookies of the console; Basic only if the API accepts it.
 */
export const withoutOwnCredentials = (headers: Headers, acceptsBasic: boolean): Headers => {
  const kept: Headers = {};
  for (const [name, value] of Object.entries(headers)) {
    const isBasic = name === 'authorization' && /^basic /i.test(String(value));
    if (name === 'x-svc-api-key' || holdsApiKey(value) || (acceptsBasic && isBasic)) continue;
    const shown = name === 'cookie' && typeof value === 'string' ? withoutOwnCookies(value) : value;
    if (shown !== '' || value === '') kept[name] = shown;
  }
  return kept;
};
