import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { isTooDeep } from '@weft/service-kit/json';
import { checkableSchema, mapSchemas } from './checkable-schema';
import type { SchemaPlace } from './read-schema';

/** Entries of schemas that one check may look at: within a second. A check of a usual answer takes a few hundred. */
const MAX_WORK = 150_000;
/** Characters of a reason. */
const MAX_REASON = 400;

/** Why a value does not fit a schema, in words that a model can act on; undefined if it fits. */
export type CheckValue = (value: Json) => string | undefined;

/** Stops a check that takes too long. Recursive and alternative schemas can take exponential time. */
class TooMuchWork extends Error {}

/** Work that is left for the current check. */
interface Work {
  left: number;
}

/**
 * A check of values against a user's JSON Schema. The schema is interpreted: no text of it becomes code.
 * @throws NodeFailure that names the field if the schema cannot be used
 */
export function checkerOf(schema: JsonObject, place: SchemaPlace): CheckValue {
  const work: Work = { left: 0 };
  const counted = countedSchema(checkableSchema(schema, place), work);
  const validator = new Validator(counted, draftOf(schema));
  return (value) => {
    work.left = MAX_WORK;
    try {
      const { valid, errors } = validator.validate(value);
      if (valid) return undefined;
      return reasonOf(errors);
    } catch (thrown) {
      if (thrown instanceof TooMuchWork || isTooDeep(thrown)) return 'The value takes too long to check.';
      const detail = thrown instanceof Error ? thrown.message : '';
      return `The schema cannot be checked. ${detail}`.slice(0, MAX_REASON);
    }
  };
}

/** The last error is the innermost one, but a schema `false` says less than the keyword that it belongs to. */
function reasonOf(errors: readonly OutputUnit[]): string {
  const {
    instanceLocation = '#',
    keyword,
    error = 'The value does not fit.',
  } = errors.findLast((one) => one.keyword !== 'false') ?? {};
  const text = keyword === 'if' ? 'The value is too long to be checked.' : error;
  return `At ${instanceLocation.slice(0, 200)}: ${text}`.slice(0, MAX_REASON);
}

function draftOf({ $schema }: JsonObject): '4' | '7' | '2020-12' {
  if (typeof $schema !== 'string') return '2020-12';
  if ($schema.includes('draft-04')) return '4';
  return $schema.includes('draft-06') || $schema.includes('draft-07') ? '7' : '2020-12';
}

/** A copy in which reading the type of a schema, which every check of a value begins with, counts its size as work. */
function countedSchema(schema: JsonObject, work: Work): Schema {
  const copy = (value: Json): Schema | Json => (isJsonObject(value) ? countedSchema(value, work) : value);
  const counted: Schema = mapSchemas<Schema | Json>(schema, copy);
  const { type } = schema;
  const size = sizeOf(schema);
  return Object.defineProperty(counted, 'type', {
    enumerable: true,
    get: () => {
      work.left -= size;
      if (work.left < 0) throw new TooMuchWork();
      return type;
    },
  });
}

/** Entries of the keywords that are compared with each value. */
function sizeOf(schema: JsonObject): number {
  const compared = [schema['enum'], schema['const'], schema['required']].map((value) =>
    value === undefined ? 0 : JSON.stringify(value).length / 8,
  );
  const properties = isJsonObject(schema['properties']) ? Object.keys(schema['properties']).length : 0;
  return 1 + properties + Math.ceil(compared.reduce((sum, one) => sum + one, 0));
}
