import type { JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { type NodeContext, NodeFailure } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { isObject } from '@weft/service-kit/json';

/** The part of a node run that parameter reading needs. */
export type ParameterSource = Pick<NodeContext, 'parameter' | 'defaultOf'>;

/** A parameter as a string. Objects become JSON, dates ISO 8601; an empty value becomes the fallback. */
export function textParameter(context: ParameterSource, path: string, itemIndex: number, fallback = ''): string {
  const value = context.parameter(path, itemIndex);
  if (typeof value === 'string') return value;
  const json = toJson(value);
  if (json === undefined || json === null) return fallback;
  return typeof json === 'object' ? JSON.stringify(json) : String(json);
}

/**
 * A parameter as a finite number; numeric strings are converted. An empty value becomes the descriptor's default.
 * @param fallback replaces the descriptor's default
 * @throws NodeFailure for any other value
 */
export function numberParameter(context: ParameterSource, path: string, itemIndex: number, fallback?: number): number {
  const given = context.parameter(path, itemIndex);
  if (isEmpty(given) && fallback !== undefined) return fallback;
  const value = isEmpty(given) ? context.defaultOf(path) : given;
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
  if (Number.isFinite(number)) return number;
  throw new NodeFailure(`The parameter "${path}" must be a number, but it is ${describe(value)}`, { itemIndex });
}

/**
 * A parameter as a boolean; the strings `true` and `false` are converted. An empty value becomes the descriptor's
 * default, or false if there is none.
 * @param fallback replaces the descriptor's default
 */
export function booleanParameter(
  context: ParameterSource,
  path: string,
  itemIndex: number,
  fallback?: boolean,
): boolean {
  const value = context.parameter(path, itemIndex);
  if (isEmpty(value)) return fallback ?? context.defaultOf(path) === true;
  return typeof value === 'string' ? value.trim().toLowerCase() !== 'false' : Boolean(value);
}

/**
 * A parameter as one of the values a node supports. An empty value becomes the descriptor's default.
 * @param fallback replaces the descriptor's default
 * @throws NodeFailure for any other value
 */
export function choiceParameter<T extends string>(
  context: ParameterSource,
  path: string,
  itemIndex: number,
  choices: readonly T[],
  fallback?: T,
): T {
  const given = context.parameter(path, itemIndex);
  if (isEmpty(given) && fallback !== undefined) return fallback;
  const value = isEmpty(given) ? context.defaultOf(path) : given;
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw new NodeFailure(
    `The parameter "${path}" is ${describe(value)}, which is not supported. Supported: ${choices.join(', ')}`,
    { itemIndex },
  );
}

/** A parameter as an array of objects. Other entries are left out; a single object counts as an array of one. */
export function objectsParameter(context: ParameterSource, path: string, itemIndex: number): Record<string, unknown>[] {
  const value = context.parameter(path, itemIndex);
  return (Array.isArray(value) ? value : [value]).filter(isObject);
}

/**
 * As {@link objectsParameter}, for lists whose entries may each take as long as an expression may: they are evaluated
 * separately, and other runs get the thread between them. A promise only if they do.
 */
export function longObjectsParameter(
  context: Pick<NodeContext, 'parameter' | 'rawParameter' | 'defaultOf' | 'pause'>,
  path: string,
  itemIndex: number,
): Record<string, unknown>[] | Promise<Record<string, unknown>[]> {
  const raw = context.rawParameter(path);
  if (!Array.isArray(raw)) return objectsParameter(context, path, itemIndex);
  const entries: unknown[] = [];
  const readFrom = (first: number): Promise<void> | undefined => {
    for (let index = first; index < raw.length; index += 1) {
      const pause = index === first ? undefined : context.pause();
      if (pause !== undefined) return pause.then(() => readFrom(index));
      entries.push(context.parameter(`${path}.${index}`, itemIndex));
    }
    return undefined;
  };
  const reading = readFrom(0);
  return reading === undefined ? entries.filter(isObject) : reading.then(() => entries.filter(isObject));
}

/**
 * A value as the name of a field: numbers and booleans are converted to strings, null becomes an empty string.
 * @throws NodeFailure for arrays and objects
 */
export function nameOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  throw new NodeFailure(`The name of a field must be a string, but it is ${describe(value)}`);
}

/** Names in a parameter: a comma-separated string or an array. @throws NodeFailure for an array of other values */
export function namesParameter(context: ParameterSource, path: string, itemIndex: number): string[] {
  const value = context.parameter(path, itemIndex);
  const names = Array.isArray(value) ? value.map(nameOf) : textParameter(context, path, itemIndex).split(',');
  return names.map((name) => name.trim()).filter((name) => name !== '');
}

/** The JSON form of a value as an item's JSON; undefined if it is not an object. */
export function toJsonObject(value: unknown): JsonObject | undefined {
  const json = toJson(value);
  return isJsonObject(json) ? json : undefined;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function describe(value: unknown): string {
  return (JSON.stringify(toJson(value)) ?? 'nothing').slice(0, 100);
}
