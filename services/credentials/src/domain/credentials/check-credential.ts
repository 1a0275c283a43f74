import {
  CREDENTIAL_TYPES,
  credentialFieldErrors,
  nearestCredentialTypes,
  type CredentialFieldError,
} from '@weft/node-catalogue';
import { InvalidRequest, type FieldError } from '@weft/service-kit/errors';
import { isJsonObject, parseJson, type Json, type JsonObject } from '@weft/service-kit/json';
import { CREDENTIAL_CHECKS } from './credential-checks';
import {
  forbiddenReferences,
  misplacedReferences,
  resolveReferences,
  type ReadCredentialFile,
} from './file-references';

const MAX_NAME_LENGTH = 128;
const MAX_DATA_BYTES = 64 * 1024;

const refuse = (errors: readonly FieldError[]): void => {
  if (errors.length > 0) throw new InvalidRequest('The credential is invalid.', errors);
};

/** @throws InvalidRequest */
export const checkName = (name: string): void => {
  if (name.trim() === '' || name.length > MAX_NAME_LENGTH)
    refuse([{ field: 'name', message: `must have 1 to ${MAX_NAME_LENGTH} characters.` }]);
};

/** Checks the type of a credential. @throws InvalidRequest that suggests the nearest known types */
export type CheckType = (type: string) => void;

/** Entry of the setting that allows every type. */
const ANY = '*';

/** @param extraTypes unknown types that are accepted with any data; `*`: all */
export const createCheckType = (extraTypes: readonly string[]): CheckType =>
  function checkType(type) {
    if (!/^[A-Za-z0-9]{1,64}$/.test(type))
      refuse([{ field: 'type', message: 'must have 1 to 64 letters and digits, for example httpHeaderAuth.' }]);
    if (CREDENTIAL_TYPES.has(type) || extraTypes.includes(type)) return;
    const nearest = nearestCredentialTypes(type);
    // A known type in another case would not be found by any node.
    const isMisspelt = nearest[0]?.toLowerCase() === type.toLowerCase();
    if (extraTypes.includes(ANY) && !isMisspelt) return;
    const hint =
      nearest.length > 0
        ? `Did you mean ${nearest.join(', ')}?`
        : 'GET /api/v1/credential-types lists those that are; httpCustomAuth fits most services.';
    refuse([{ field: 'type', message: `is not a known type. ${hint}` }]);
  };

/** Errors in credential data under the rules of its type, after its files have been read. Never shows a value. */
export const dataErrors = (name: string, data: JsonObject): readonly CredentialFieldError[] => {
  const type = CREDENTIAL_TYPES.get(name);
  if (type === undefined) return [];
  const ofFields = credentialFieldErrors(type, data);
  return ofFields.length > 0 ? ofFields : (CREDENTIAL_CHECKS.get(name)?.(data) ?? []);
};

const refuseFields = (errors: readonly CredentialFieldError[]): void =>
  refuse(errors.map(({ field, message }) => ({ field: `data.${field}`, message })));

/** Parses credential data. @throws InvalidRequest; ServiceError PAYLOAD_TOO_LARGE */
export const readData = (dataJson: string): JsonObject => {
  const bytes = Buffer.from(dataJson);
  if (bytes.length > MAX_DATA_BYTES) refuse([{ field: 'data', message: `must have at most ${MAX_DATA_BYTES} bytes.` }]);
  const data = parseData(bytes);
  if (!isJsonObject(data))
    throw new InvalidRequest('The credential is invalid.', [{ field: 'data', message: 'must be a JSON object.' }]);
  return data;
};

/**
 * Checks data against the rules of its type, including the current contents of its files. Errors name fields and never
 * show a value.
 * @returns the original data, with its references
 * @throws InvalidRequest with paths such as `data.token`
 */
export type CheckFields = (type: string, data: JsonObject) => Promise<JsonObject>;

/** @param readFile reads the files that fields name */
export const createCheckFields = (readFile: ReadCredentialFile): CheckFields =>
  async function checkFields(type, data) {
    refuseFields(misplacedReferences(type, data));
    const resolved = await resolveReferences(type, data, readFile);
    refuseFields(resolved.errors);
    refuseFields(dataErrors(type, resolved.data));
    return data;
  };

/**
 * The same check for users who may not refer to files: errors would reveal which files exist, and a run could send them
 * anywhere.
 */
export const withoutFiles =
  (checkFields: CheckFields): CheckFields =>
  async (type, data) => {
    refuseFields(forbiddenReferences(data));
    return checkFields(type, data);
  };

/** Replaces the parser's messages, which may quote parts of the data. */
const parseData = (bytes: Buffer): Json => {
  try {
    return parseJson(bytes);
  } catch {
    throw new InvalidRequest('The credential is invalid.', [
      { field: 'data', message: 'must be a JSON object, nested at most 100 levels.' },
    ]);
  }
};
