import type { JsonObject } from '@weft/service-kit/json';
import { isSameSecret } from '../same-secret';
import { grantedBy, MISSING, WRONG, type Headers, type AuthOutcome } from './outcome';

/** Checks HTTP Basic against a credential of type httpBasicAuth, `{ user, password }`. */
export const checkBasic = ({ user, password }: JsonObject, headers: Headers): AuthOutcome => {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(headers.get('authorization') ?? '')?.[1];
  if (encoded === undefined) return MISSING;
  if (typeof user !== 'string' || user === '' || typeof password !== 'string' || password === '') return WRONG;
  return isSameSecret(Buffer.from(encoded, 'base64').toString('utf8'), `${user}:${password}`)
    ? grantedBy('authorization')
    : WRONG;
};

/** Checks one header against a credential of type httpHeaderAuth, `{ name, value }`; the name is case-insensitive. */
export const checkHeader = ({ name, value }: JsonObject, headers: Headers): AuthOutcome => {
  if (typeof name !== 'string' || name === '' || typeof value !== 'string' || value === '') return WRONG;
  const header = name.toLowerCase();
  const sent = headers.get(header);
  if (sent === undefined) return MISSING;
  return isSameSecret(sent, value) ? grantedBy(header) : WRONG;
};

/** Checks a bearer token against a credential of type httpBearerAuth, `{ token }`. */
export const checkBearer = ({ token }: JsonObject, headers: Headers): AuthOutcome => {
  const sent = /^Bearer +([^\s]+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
  if (sent === undefined) return MISSING;
  if (typeof token !== 'string' || token === '') return WRONG;
  return isSameSecret(sent, token) ? grantedBy('authorization') : WRONG;
};
