import type { JsonObject } from '@weft/service-kit/json';
import { isSameSecret } from './same-secret';
import { GRANTED, MISSING, WRONG, type Headers, type Verdict } from './verdict';

/** Checks one header against a credential of type httpHeaderAuth, `{ name, value }`; the name in any case. */
export const checkHeader = ({ name, value }: JsonObject, headers: Headers): Verdict => {
  if (typeof name !== 'string' || name === '' || typeof value !== 'string' || value === '') return WRONG;
  const shown = headers.get(name.toLowerCase());
  if (shown === undefined) return MISSING;
  return isSameSecret(shown, value) ? GRANTED : WRONG;
};
