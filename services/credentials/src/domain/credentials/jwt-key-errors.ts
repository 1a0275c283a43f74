import type { FieldError } from '@weft/service-kit/errors';
import type { JsonObject } from '@weft/service-kit/json';
import { readJwtKey } from '../webhook-auth/jwt-key';

/** What keeps the data of a jwtAuth credential from being used. */
export const jwtKeyErrors = (data: JsonObject): FieldError[] => {
  const key = readJwtKey(data);
  return key.kind === 'fault' ? [{ field: `data.${key.field}`, message: key.message }] : [];
};
