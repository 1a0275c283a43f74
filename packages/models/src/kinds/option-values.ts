import {
  booleanField,
  type Json,
  type JsonObject,
  field,
  isJsonObject,
  listField,
  numberField,
  objectField,
  textField,
} from '@weft/service-kit/json-values';
import { ModelError } from '../model-error';

/** The number of an option, or undefined. Negative numbers mean "no limit". */
export const limitOf = (options: JsonObject, name: string): number | undefined => {
  const value = numberField(options, name);
  return value === undefined || value < 0 ? undefined : value;
};

/** The trimmed string of an option, or undefined if it is absent or empty. */
export const wordOf = (options: JsonObject | undefined, name: string): string | undefined => {
  const value = textField(options, name)?.trim();
  return value === '' ? undefined : value;
};

/** The entries of a comma-separated string, or undefined. */
export const listOf = (options: JsonObject | undefined, name: string): string[] | undefined => {
  const parts = (textField(options, name) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts;
};

/**
 * JSON that a user wrote as a string.
 * @throws ModelError BAD_REQUEST with the name of the field if it is not JSON
 */
export const jsonOf = (options: JsonObject | undefined, name: string, label: string): Json | undefined => {
  const value = field(options, name);
  if (typeof value !== 'string') return value;
  if (value.trim() === '') return undefined;
  try {
    const parsed: Json = JSON.parse(value);
    return parsed;
  } catch {
    throw new ModelError('BAD_REQUEST', `The option "${label}" is not valid JSON. Correct it in the node.`);
  }
};

/** The first entry of a collection, which n8n stores as an object or as a list of one. */
export const entryOf = (options: JsonObject, collection: string, entry: string): JsonObject | undefined => {
  const found = objectField(options, collection);
  const first = listField(found, entry)[0];
  return isJsonObject(first) ? first : objectField(found, entry);
};

/** The value of a parameter that is a string or a resource locator. */
export const locatedOf = (parameters: JsonObject, name: string): string | undefined =>
  wordOf(parameters, name) ?? wordOf(objectField(parameters, name), 'value');

/** The options that are set, by their names in the wire format. */
export const renamed = (options: JsonObject, names: Readonly<Record<string, string>>): JsonObject => {
  const own: JsonObject = {};
  for (const [name, wire] of Object.entries(names)) {
    const value = numberField(options, name) ?? booleanField(options, name) ?? wordOf(options, name);
    if (value !== undefined) own[wire] = value;
  }
  return own;
};
