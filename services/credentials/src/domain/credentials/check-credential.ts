import { InvalidRequest, type FieldError } from '@weft/service-kit/errors';
import { isJsonObject, JSON_LIMITS, parseJson, type Json, type JsonObject } from '@weft/service-kit/json';
import { CREDENTIAL_TYPES } from './credential-types';

const MAX_NAME_LENGTH = 128;
const MAX_DATA_BYTES = 64 * 1024;

const refuse = (faults: readonly FieldError[]): void => {
  if (faults.length > 0) throw new InvalidRequest('The credential cannot be stored.', faults);
};

/** @throws InvalidRequest */
export const checkName = (name: string): void => {
  if (name.trim() === '' || name.length > MAX_NAME_LENGTH)
    refuse([{ field: 'name', message: `Give a name of 1 to ${MAX_NAME_LENGTH} characters.` }]);
};

/** @throws InvalidRequest */
export const checkType = (type: string): void => {
  if (!/^[A-Za-z0-9]{1,64}$/.test(type))
    refuse([{ field: 'type', message: 'Use 1 to 64 letters and digits, for example httpHeaderAuth.' }]);
};

/** A custom authentication is an object, or the text of one. */
const holdsObject = (value: Json | undefined): boolean => {
  if (typeof value !== 'string') return isJsonObject(value);
  try {
    return isJsonObject(parseJson(Buffer.from(value), { ...JSON_LIMITS, maxBytes: MAX_DATA_BYTES }));
  } catch {
    return false;
  }
};

const isPort = (value: Json | undefined): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65_535;

/** What is wrong with data of a type. */
const dataErrors = (type: string, data: JsonObject): readonly FieldError[] => {
  const { texts = [], ports = [], objects = [], faults = () => [] } = CREDENTIAL_TYPES.get(type) ?? {};
  const missing = (
    fields: readonly string[],
    isRight: (value: Json | undefined) => boolean,
    need: string,
  ): FieldError[] =>
    fields
      .filter((name) => !isRight(data[name]))
      .map((name) => ({ field: `data.${name}`, message: `${type} needs ${need} here.` }));
  return [
    ...missing(texts, (value) => typeof value === 'string' && value !== '', 'a string that is not empty'),
    ...missing(ports, isPort, 'a port number from 1 to 65535'),
    ...missing(objects, holdsObject, 'a JSON object'),
    ...faults(data),
  ];
};

/**
 * Reads credential data and checks it against its type. The faults name fields and never show a value.
 * @throws InvalidRequest with paths such as `data.token`; ServiceError PAYLOAD_TOO_LARGE
 */
export const checkData = (type: string, dataJson: string): JsonObject => {
  const bytes = Buffer.from(dataJson);
  if (bytes.length > MAX_DATA_BYTES)
    refuse([{ field: 'data', message: `Send at most ${MAX_DATA_BYTES} bytes of JSON.` }]);
  const data = parseData(bytes);
  if (!isJsonObject(data))
    throw new InvalidRequest('The credential cannot be stored.', [{ field: 'data', message: 'Send a JSON object.' }]);
  refuse(dataErrors(type, data));
  return data;
};

/** The parser's own texts may quote what they stumbled over, so they are not passed on. */
const parseData = (bytes: Buffer): Json => {
  try {
    return parseJson(bytes);
  } catch {
    throw new InvalidRequest('The credential cannot be stored.', [
      { field: 'data', message: 'Send a valid JSON object, nested at most 100 levels.' },
    ]);
  }
};
