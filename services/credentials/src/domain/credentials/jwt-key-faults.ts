import type { FieldFault } from '@weft/service-kit/errors';
import type { JsonObject } from '@weft/service-kit/json';
import { readJwtKey } from '../webhook-auth/jwt-key';

/** What keeps the data of a jwtAuth credential from being used. */
export const jwtKeyFaults = (data: JsonObject): FieldFault[] => {
  const key = readJwtKey(data);
  return key.kind === 'fault' ? [{ field: `data.${key.field}`, description: key.description }] : [];
};
