import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { ExpressionError, findCalls, type FoundArgument, type FoundCall } from '@weft/expressions';

/** Type of the value of a `$fromAI` call. */
export type FromAiType = 'string' | 'number' | 'boolean' | 'json';

/** One argument that a model gives, from all `$fromAI` calls with its key. */
export interface FromAiArgument {
  readonly key: string;
  readonly description: string;
  readonly type: FromAiType;
  /** Absent if the model must give a value. */
  readonly default?: Json;
  /** True if the expression has a value without the model, even if it is not known before the run. */
  readonly isOptional: boolean;
}

const NAMES: ReadonlySet<string> = new Set(['$fromAI', '$fromAi', '$fromai']);
const TYPES: readonly FromAiType[] = ['string', 'number', 'boolean', 'json'];
const KEY = /^[\w-]{1,64}$/;
const REFUSED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Maximum number of keys of one tool. */
const MAX_KEYS = 100;
/** Maximum number of `$fromAI` calls in one node. */
const MAX_CALLS = 1_000;
/** Maximum size of all keys, descriptions and defaults of one tool, in characters. */
const MAX_CHARACTERS = 64 * 1024;
/** Maximum nesting of parameters. */
const MAX_DEPTH = 100;

/**
 * The arguments of a tool, from the `$fromAI` calls in the expressions of its parameters, in their order.
 * @throws NodeFailure that names the parameter, for calls that no schema can be made from
 */
export function fromAiArguments(parameters: JsonObject): FromAiArgument[] {
  const found = new Map<string, FromAiArgument>();
  let calls = 0;
  for (const { path, call } of callsIn(parameters, '', 0)) {
    calls += 1;
    if (calls > MAX_CALLS) throw new NodeFailure(`The node has more than ${MAX_CALLS} $fromAI calls`);
    const argument = argumentOf(call, path);
    found.set(argument.key, merged(found.get(argument.key), argument));
    if (found.size > MAX_KEYS)
      throw new NodeFailure(`The $fromAI calls of the node have more than ${MAX_KEYS} different keys`);
  }
  const all = [...found.values()];
  const characters = JSON.stringify(all).length;
  if (characters > MAX_CHARACTERS)
    throw new NodeFailure(
      `The $fromAI calls of the node have ${characters} characters; at most ${MAX_CHARACTERS} fit`,
      {
        description: 'Shorten the descriptions and default values.',
      },
    );
  return all;
}

interface PlacedCall {
  readonly path: string;
  readonly call: FoundCall;
}

function* callsIn(value: Json, path: string, depth: number): Generator<PlacedCall> {
  if (depth > MAX_DEPTH) return;
  if (typeof value === 'string') {
    if (value.startsWith('=') && value.toLowerCase().includes('$fromai'))
      for (const call of parsedCalls(value, path)) yield { path, call };
  } else if (Array.isArray(value))
    for (const [index, entry] of value.entries()) yield* callsIn(entry, `${path}[${index}]`, depth + 1);
  else if (isJsonObject(value))
    for (const [name, entry] of Object.entries(value))
      yield* callsIn(entry, path === '' ? name : `${path}.${name}`, depth + 1);
}

function parsedCalls(text: string, path: string): FoundCall[] {
  try {
    return findCalls(text, NAMES);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw failure(path, `is not a valid expression: ${error.description ?? error.message}`);
  }
}

function argumentOf({ arguments: [key, description, type, initial] }: FoundCall, path: string): FromAiArgument {
  const name = constant(key);
  if (typeof name !== 'string' || name === '')
    throw failure(path, 'has a $fromAI call without a key', "Begin it with a key in quotes: $fromAI('city').");
  if (!KEY.test(name) || REFUSED_KEYS.has(name))
    throw failure(
      path,
      `has a $fromAI call with the key ${JSON.stringify(name.slice(0, 100))}`,
      'A key has 1 to 64 letters, digits, hyphens or underscores.',
    );
  const typeName = constant(type) ?? 'string';
  const known = TYPES.find((one) => typeof typeName === 'string' && one === typeName.toLowerCase());
  if (known === undefined)
    throw failure(
      path,
      `gives the $fromAI key "${name}" the type ${JSON.stringify(typeName).slice(0, 100)}`,
      `Use ${TYPES.join(', ')}.`,
    );
  const value = constant(initial);
  return {
    key: name,
    description: textOf(description),
    type: known,
    ...(value === undefined ? {} : { default: asType(known, value) }),
    isOptional: initial?.kind === 'code' || value !== undefined,
  };
}

/** One argument out of two with the same key. @throws NodeFailure if their types differ */
function merged(first: FromAiArgument | undefined, second: FromAiArgument): FromAiArgument {
  if (first === undefined) return second;
  if (first.type !== second.type)
    throw new NodeFailure(
      `The $fromAI key "${first.key}" has the type ${first.type} in one place and ${second.type} in another`,
      { description: 'Give all calls with this key the same type, or use different keys.' },
    );
  return {
    ...second,
    ...first,
    description: first.description === '' ? second.description : first.description,
    // A call without a default needs a value.
    isOptional: (first.isOptional && second.isOptional) || (first.default ?? second.default) !== undefined,
  };
}

function constant(argument: FoundArgument | undefined): Json | undefined {
  return argument?.kind === 'constant' ? argument.value : undefined;
}

/** A description; one that is computed is its source. */
function textOf(argument: FoundArgument | undefined): string {
  if (argument?.kind === 'code') return argument.source;
  const value = argument?.value;
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A default as a value of the type, if it is text that can only mean one. */
function asType(type: FromAiType, value: Json): Json {
  if (typeof value !== 'string') return type === 'string' && typeof value !== 'object' ? String(value) : value;
  if (type === 'number') return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
  if (type === 'boolean') return /^(?:true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value;
  return type === 'json' ? (parsedJson(value) ?? value) : value;
}

function parsedJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function failure(path: string, problem: string, description?: string): NodeFailure {
  return new NodeFailure(`The parameter "${path}" ${problem}`, description === undefined ? {} : { description });
}
