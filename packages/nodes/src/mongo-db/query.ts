import { type Json, isJsonObject, type JsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { toJson } from '@weft/expressions';

const PLACEHOLDER = /^\$([1-9]\d*)$/;
/** Maximum depth of MongoDB documents. */
const MAX_DEPTH = 100;
/** Operators whose operand is JavaScript that the server runs. */
const JAVASCRIPT: ReadonlySet<string> = new Set(['$where', '$function', '$accumulator']);
const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** A query with its values, from the parameters. */
export interface QuerySource {
  /** JSON, as a string or as its value. */
  readonly query: unknown;
  /** Values of $1, $2 …: an array, or its JSON string. */
  readonly values: unknown;
  /** Its name in messages: `Query`, `Sort`. */
  readonly label: string;
  readonly itemIndex: number;
}

/**
 * A query with its values in place of $1, $2 … where those are a whole string or a whole field name, so that no value
 * can change the structure of the query.
 * @throws NodeFailure for invalid JSON, unused values, placeholders without a value, and JavaScript
 */
export function queryOf(given: QuerySource): Json {
  const { label, itemIndex } = given;
  const values = valuesOf(given);
  const used = new Set<number>();
  const query = filled(parsed(given.query, `Invalid JSON in '${label}'`, itemIndex), 0);
  const unused = values.findIndex((_, index) => !used.has(index));
  if (unused >= 0)
    throw new NodeFailure(`${label} parameter ${unused + 1} is not used`, {
      itemIndex,
      description: `Add $${unused + 1} to the query, or remove the value.`,
    });
  return query;

  function filled(value: Json, depth: number): Json {
    if (depth > MAX_DEPTH)
      throw new NodeFailure(`The ${label} is nested more than ${MAX_DEPTH} levels deep`, { itemIndex });
    if (typeof value === 'string') return valueFor(value) ?? value;
    if (Array.isArray(value)) return value.map((entry) => filled(entry, depth + 1));
    if (!isJsonObject(value)) return value;
    const names = new Set<string>();
    const entries = Object.entries(value).map(([name, entry]): [string, Json] => {
      const field = nameFor(name);
      if (JAVASCRIPT.has(field)) throw javaScript(field, itemIndex);
      if (names.has(field))
        throw new NodeFailure(`${label} field name "${field}" is used more than once`, { itemIndex });
      names.add(field);
      return [field, filled(entry, depth + 1)];
    });
    return Object.fromEntries(entries);
  }

  function valueFor(text: string): Json | undefined {
    const number = PLACEHOLDER.exec(text)?.[1];
    if (number === undefined || values.length === 0) return undefined;
    const value = values[Number(number) - 1];
    if (value === undefined)
      throw new NodeFailure(`${label} placeholder ${text} has no matching value`, {
        itemIndex,
        description: `Add a value for ${text} to the ${label} Parameters.`,
      });
    used.add(Number(number) - 1);
    return value;
  }

  function nameFor(name: string): string {
    const value = valueFor(name);
    if (value === undefined) return name;
    if (typeof value === 'string' && value !== '' && !value.startsWith('$') && !RESERVED.has(value)) return value;
    throw new NodeFailure(`${label} placeholder ${name} is not a valid field name`, {
      itemIndex,
      description: 'The name of a field must be a string that is not empty and does not begin with "$".',
    });
  }
}

/** As `queryOf`, but the query must be an object. */
export function objectOf(given: QuerySource): JsonObject {
  const query = queryOf(given);
  if (isJsonObject(query)) return query;
  throw new NodeFailure(`The ${given.label} must be a JSON object`, { itemIndex: given.itemIndex });
}

function valuesOf({ values, label, itemIndex }: QuerySource): readonly Json[] {
  const empty = values === undefined || values === null || values === '';
  const list = empty ? [] : parsed(values, `${label} Parameters must be valid JSON`, itemIndex);
  if (!Array.isArray(list)) throw new NodeFailure(`${label} Parameters must be a JSON array`, { itemIndex });
  const wrong = list.findIndex((value) => !isScalar(value) && !(Array.isArray(value) && value.every(isScalar)));
  if (wrong < 0) return list;
  throw new NodeFailure(`${label} parameter ${wrong + 1} must be a scalar or an array of scalars`, { itemIndex });
}

function isScalar(value: Json): boolean {
  return value === null || typeof value !== 'object';
}

function parsed(value: unknown, message: string, itemIndex: number): Json {
  if (typeof value !== 'string') return toJson(value) ?? null;
  try {
    return JSON.parse(value);
  } catch (error) {
    throw new NodeFailure(message, { itemIndex, cause: error });
  }
}

function javaScript(operator: string, itemIndex: number): NodeFailure {
  return new NodeFailure(`The operator ${operator} runs JavaScript in the database, which is not supported`, {
    itemIndex,
    description: 'Use query operators and $expr instead.',
  });
}
