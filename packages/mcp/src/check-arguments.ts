import { fieldOf, isObject, type Json, type JsonObject } from './json';

const MAX_ERRORS = 20;

const isOfType = (value: Json, type: string): boolean => {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
};

const textsOf = (value: Json | undefined): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((entry): entry is string => typeof entry === 'string');

const check = (schema: JsonObject, value: Json, at: string, errors: string[]): void => {
  if (errors.length >= MAX_ERRORS) return;
  const types = textsOf(fieldOf(schema, 'type'));
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    errors.push(`${at} must be of type ${types.join(' or ')}`);
    return;
  }
  const choices = fieldOf(schema, 'enum');
  if (Array.isArray(choices) && !choices.some((choice) => choice === value))
    errors.push(`${at} must be one of ${JSON.stringify(choices.slice(0, MAX_ERRORS))}`);
  const items = fieldOf(schema, 'items');
  if (Array.isArray(value) && isObject(items))
    value.forEach((item, index) => check(items, item, `${at}[${index}]`, errors));
  if (isObject(value)) checkFields(schema, value, at, errors);
};

const checkFields = (schema: JsonObject, value: JsonObject, at: string, errors: string[]): void => {
  const properties = fieldOf(schema, 'properties');
  const known = isObject(properties) ? properties : {};
  const required = textsOf(fieldOf(schema, 'required'));
  for (const name of required) if (!Object.hasOwn(value, name)) errors.push(`${at}.${name} is required`);
  for (const [name, entry] of Object.entries(value)) {
    if (errors.length >= MAX_ERRORS) return;
    const field = fieldOf(known, name);
    if (isObject(field)) check(field, entry, `${at}.${name}`, errors);
    else if (fieldOf(schema, 'additionalProperties') === false)
      errors.push(`${at}.${name} is not known; known: ${Object.keys(known).slice(0, 50).join(', ')}`);
  }
};

/**
 * Checks arguments against the keywords of a schema that servers of this package use: type, properties, required,
 * additionalProperties: false, items and enum of plain values. Other keywords are ignored.
 * @returns at most 20 errors; none if it matches
 */
export const checkArguments = (schema: JsonObject, args: JsonObject): readonly string[] => {
  const errors: string[] = [];
  check(schema, args, 'arguments', errors);
  return errors.slice(0, MAX_ERRORS);
};
