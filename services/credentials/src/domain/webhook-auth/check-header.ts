import type { JsonObject } from '@weft/service-kit/json';
import { isSameSecret } from './same-secret';
import { grantedBy, MISSING, WRONG, type Headers, type AuthOutcome } from './outcome';

/** Checks one header against a credential of type httpHeaderAuth, `{ name, value }`; the name in any case. */
export const checkHeader = ({ name, value }: JsonObject, headers: Headers): AuthOutcome => {
  if (typeof name !== 'string' || name === '' || typeof value !== 'string' || value === '') return WRONG;
  const header = name.toLowerCase();
  const shown = headers.get(header);
  if (shown === undefined) return MISSING;
  return isSameSecret(shown, value) ? grantedBy(header) : WRONG;
};
