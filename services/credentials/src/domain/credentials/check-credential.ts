import { InvalidRequest, type FieldError } from '@weft/service-kit/errors';
import { isJsonObject, JSON_LIMITS, parseJson, type Json, type JsonObject } from '@weft/service-kit/json';
import { CREDENTIAL_TYPES } from './credential-types';

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

const namesInLowerCase = new Map([...CREDENTIAL_TYPES.keys()].map((type) => [type.toLowerCase(), type]));

/** @throws InvalidRequest also for a known type in another case, which no node would find */
export const checkType = (type: string): void => {
  if (!/^[A-Za-z0-9]{1,64}$/.test(type))
    refuse([{ field: 'type', message: 'must have 1 to 64 letters and digits, for example httpHeaderAuth.' }]);
  const known = CREDENTIAL_TYPES.has(type) ? type : namesInLowerCase.get(type.toLowerCase());
  if (known !== undefined && known !== type)
    refuse([{ field: 'type', message: `is not a known type. Did you mean ${known}?` }]);
};

/** Accepts an object, or the JSON text of one. */
const isObjectOrText = (value: Json | undefined): boolean => {
  if (typeof value !== 'string') return isJsonObject(value);
  try {
    return isJsonObject(parseJson(Buffer.from(value), { ...JSON_LIMITS, maxBytes: MAX_DATA_BYTES }));
  } catch {
    return false;
  }
};

const isPort = (value: Json | undefined): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65_535;

const dataErrors = (type: string, data: JsonObject): readonly FieldError[] => {
  const { strings = [], ports = [], objects = [], check = () => [] } = CREDENTIAL_TYPES.get(type) ?? {};
  const invalid = (
    fields: readonly string[],
    isValid: (value: Json | undefined) => boolean,
    form: string,
  ): FieldError[] =>
    fields
      .filter((name) => !isValid(data[name]))
      .map((name) => ({ field: `data.${name}`, message: `must be ${form} in a credential of type ${type}.` }));
  return [
    ...invalid(strings, (value) => typeof value === 'string' && value !== '', 'a non-empty string'),
    ...invalid(ports, isPort, 'a port number from 1 to 65535'),
    ...invalid(objects, isObjectOrText, 'a JSON object'),
    ...check(data),
  ];
};

/**
 * Parses credential data and checks it against the rules of its type. Errors name fields and never show a value.
 * @throws InvalidRequest with paths such as `data.token`; ServiceError PAYLOAD_TOO_LARGE
 */
export const checkData = (type: string, dataJson: string): JsonObject => {
  const bytes = Buffer.from(dataJson);
  if (bytes.length > MAX_DATA_BYTES) refuse([{ field: 'data', message: `must have at most ${MAX_DATA_BYTES} bytes.` }]);
  const data = parseData(bytes);
  if (!isJsonObject(data))
    throw new InvalidRequest('The credential is invalid.', [{ field: 'data', message: 'must be a JSON object.' }]);
  refuse(dataErrors(type, data));
  return data;
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
