import { isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json-values';
import type { ParameterDescriptor } from '../descriptor';
import { editDistance } from './edit-distance';

/** Maximum number of unknown names of one object that are checked: finding the intended name takes time. */
const MAX_UNKNOWN = 50;

/** A name that a kind does not have, and the message about it. */
export interface UnknownName {
  readonly name: string;
  readonly message: string;
}

/**
 * Names in an object of parameters that are probably misspelt: they differ by one or two letters from a name that is
 * not set. Other unknown names are ignored, since real workflows have leftovers that never had a meaning.
 */
export function misspelledNames(stated: JsonObject, known: readonly ParameterDescriptor[]): UnknownName[] {
  const names = [...new Set(known.map((one) => one.name))];
  return unknownNames(stated, names).flatMap((name) => {
    const meant = names.find((one) => !Object.hasOwn(stated, one) && isClose(name, one));
    return meant === undefined
      ? []
      : [{ name, message: `\`${name.slice(0, 100)}\` is not known. Did you mean \`${meant}\`?` }];
  });
}

/**
 * Options that a kind has in no version and no operation. Empty values change nothing. `supported` are the ones that
 * the message lists.
 */
export function unknownOptions(
  stated: JsonObject,
  known: readonly ParameterDescriptor[],
  supported: readonly ParameterDescriptor[],
): UnknownName[] {
  const listed = supported
    .filter((one) => one.refused === undefined)
    .map((one) => one.name)
    .join(', ');
  return unknownNames(
    stated,
    known.map((one) => one.name),
  ).map((name) => ({
    name,
    message: `the option \`${name.slice(0, 100)}\` is not supported and has no effect. Supported: ${listed}.`,
  }));
}

function unknownNames(stated: JsonObject, names: readonly string[]): string[] {
  const known = new Set(names);
  return Object.keys(stated)
    .filter((name) => !known.has(name) && !isEmpty(stated[name]))
    .slice(0, MAX_UNKNOWN);
}

function isClose(name: string, known: string): boolean {
  if (name.length < 4 || name.length > 64 || Math.abs(name.length - known.length) > 2) return false;
  return editDistance(name.toLowerCase(), known.toLowerCase()) <= (name.length < 8 ? 1 : 2);
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  return Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
}
