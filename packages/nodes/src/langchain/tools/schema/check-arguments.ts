import { type OutputUnit, Validator } from '@cfworker/json-schema';
import { isJsonObject, isTooDeep, type Json, type JsonObject, listField, objectField } from '@weft/node-catalogue';
import { checkedSchema } from './checked-schema';

/** The arguments as the tool gets them, or a sentence that the model can act on. */
export type CheckedArguments = { readonly input: JsonObject } | { readonly fault: string };

/** Maximum size of the arguments of one call as JSON, in characters. */
const MAX_CHARACTERS = 256 * 1024;
/** Maximum nesting of arguments. */
const MAX_DEPTH = 64;
/** Maximum number of checks of all values. */
const MAX_CHECKS = 2_000_000;
/** Faults that a sentence names. */
const MAX_FAULTS = 5;

/**
 * Checks the arguments of a model's call against the JSON Schema of the function. Values are converted where only one
 * meaning is possible (`"5"` for a number), defaults of the schema are filled in, and arguments that the schema
 * excludes by `additionalProperties: false` are left out.
 * @param schema of an object
 */
export function checkArguments(schema: JsonObject, given: JsonObject): CheckedArguments {
  const refusal = refusalOf(given);
  if (refusal !== undefined) return { fault: refusal };
  const { schema: known, checks } = checkedSchema(schema);
  const input = fitted(known, given);
  if (checks * countOf(input) > MAX_CHECKS) return { fault: 'The arguments have too many values. Use fewer of them.' };
  const { valid, errors } = new Validator(known, '2019-09', false).validate(input);
  if (valid) return { input };
  const faults = faultsOf(errors);
  const details = faults.length === 0 ? '' : `: ${faults.join('; ')}`;
  return { fault: `The arguments do not match the schema of the tool${details}. Correct them and call it again.` };
}

/** The reason why arguments are refused whatever the schema is. */
function refusalOf(given: JsonObject): string | undefined {
  let values: Json[] = [given];
  for (let depth = 0; values.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return `The arguments are nested more than ${MAX_DEPTH} levels deep.`;
    const next: Json[] = [];
    for (const value of values) {
      if (Array.isArray(value)) for (const entry of value) next.push(entry);
      else if (isJsonObject(value))
        for (const [name, entry] of Object.entries(value)) {
          if (name === '__proto__') return 'The name "__proto__" is not allowed in arguments.';
          next.push(entry);
        }
    }
    values = next;
  }
  const characters = JSON.stringify(given).length;
  return characters > MAX_CHARACTERS
    ? `The arguments have ${characters} characters as JSON; at most ${MAX_CHARACTERS} are allowed.`
    : undefined;
}

/** The arguments with their defaults, converted to the types of the schema where there is no doubt. */
function fitted(schema: JsonObject, given: JsonObject): JsonObject {
  const properties = objectField(schema, 'properties') ?? {};
  const required = new Set(listField(schema, 'required'));
  const isClosed = schema['additionalProperties'] === false;
  const input: JsonObject = {};
  for (const [name, value] of Object.entries(given)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) {
      if (!isClosed) input[name] = value;
    } else if (value !== null || required.has(name))
      input[name] = isJsonObject(property) ? asType(property, value) : value;
  }
  for (const [name, property] of Object.entries(properties)) {
    const initial = isJsonObject(property) ? property['default'] : undefined;
    if (initial !== undefined && !Object.hasOwn(input, name)) input[name] = initial;
  }
  return input;
}

function asType(schema: JsonObject, value: Json): Json {
  const types = typesOf(schema);
  const accepts = (type: string): boolean => types.includes(type);
  if (typeof value === 'string') {
    if (types.length === 0 || accepts('string')) return value;
    const text = value.trim();
    if ((accepts('number') || accepts('integer')) && text !== '' && Number.isFinite(Number(text))) return Number(text);
    if (accepts('boolean') && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
    if (accepts('object') || accepts('array')) return parsed(text, accepts) ?? value;
    return value;
  }
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  return isScalar && types.length === 1 && accepts('string') ? String(value) : value;
}

/** Types that a schema names, also in `anyOf`. */
function typesOf(schema: JsonObject): string[] {
  const own = Array.isArray(schema['type']) ? schema['type'] : [schema['type'] ?? null];
  const others = listField(schema, 'anyOf').flatMap((one) => (isJsonObject(one) ? [one['type'] ?? null] : []));
  return [...own, ...others].filter((type) => typeof type === 'string');
}

/** Text that is JSON of one of the types; undefined for any other. */
function parsed(text: string, accepts: (type: string) => boolean): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    const type = Array.isArray(value) ? 'array' : isJsonObject(value) ? 'object' : 'other';
    return accepts(type) && refusalOf({ value }) === undefined ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || isTooDeep(error)) return undefined;
    throw error;
  }
}

function countOf(value: Json): number {
  let count = 0;
  const open: Json[] = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    count += 1;
    if (typeof one === 'object' && one !== null) for (const entry of Object.values(one)) open.push(entry);
  }
  return count;
}

/** Sentences for the innermost errors, without those of alternatives. */
function faultsOf(errors: readonly OutputUnit[]): string[] {
  const faults = errors.flatMap(({ keyword, keywordLocation, instanceLocation, error }) => {
    if (['properties', 'items', 'additionalProperties', 'prefixItems', 'allOf'].includes(keyword) && isOuter(error))
      return [];
    if (isOfAlternative(keywordLocation)) return [];
    return [faultOf(keyword, nameOf(instanceLocation), error)];
  });
  const distinct = [...new Set(faults)];
  const rest = distinct.length - MAX_FAULTS;
  return rest > 0 ? [...distinct.slice(0, MAX_FAULTS), `and ${rest} more`] : distinct;
}

/** True for an error within an alternative: the schema around it has one too. */
function isOfAlternative(location: string): boolean {
  const steps = location.split('/');
  let isName = false;
  return steps.slice(0, -1).some((step) => {
    const isKeyword = !isName;
    isName = isKeyword && (step === 'properties' || step === 'dependentSchemas');
    return isKeyword && (step === 'anyOf' || step === 'oneOf' || step === 'not');
  });
}

/** True for an error that only says that there is another one. */
const isOuter = (error: string): boolean => /does not match|did not match|matches pattern/i.test(error);

function faultOf(keyword: string, name: string, error: string): string {
  if (keyword === 'type') {
    const [, actual = '', expected = ''] = /^Instance type "(\w+)" is invalid\. Expected (.*)\.$/s.exec(error) ?? [];
    return `${name} must be ${expected.replaceAll('"', '').replaceAll(', ', ' or ')}, not ${actual}`;
  }
  if (keyword === 'required') {
    const missing = error.slice(error.indexOf('"') + 1, error.lastIndexOf('"'));
    return name === 'the whole' ? `"${missing}" is required` : `${name} requires "${missing}"`;
  }
  return `${name}: ${error.slice(0, 300).replace(/\.$/, '')}`;
}

/** The place of a value, for example `"filter.city"`. */
function nameOf(pointer: string): string {
  const steps = pointer.split('/').slice(1);
  if (steps.length === 0) return 'the whole';
  const name = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
  return JSON.stringify(name.slice(0, 100));
}
