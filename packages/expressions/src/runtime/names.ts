import { ExpressionError } from '../errors';

/** Names that no expression may read, call or bind, whatever the value they are asked of. */
const FORBIDDEN_NAMES: ReadonlySet<string> = new Set([
  '__proto__',
  'prototype',
  'constructor',
  'getPrototypeOf',
  'setPrototypeOf',
  'defineProperty',
  'defineProperties',
  'getOwnPropertyDescriptor',
  'getOwnPropertyDescriptors',
  '__lookupGetter__',
  '__lookupSetter__',
  '__defineGetter__',
  '__defineSetter__',
  'prepareStackTrace',
  'mainModule',
  '_linkedBinding',
  '_load',
  'getBuiltinModule',
  'dlopen',
  'execve',
  'loadEnvFile',
]);

/**
 * Names that lead from a function to its calls elsewhere. As fields of data they are common, for example in phone
 * calls.
 */
const NAMES_OF_CALLS: ReadonlySet<string> = new Set(['arguments', 'caller', 'callee']);

/** Names of the engine that a workflow of elsewhere may try to replace. */
const RESERVED_VARIABLES: ReadonlySet<string> = new Set(['___n8n_data', '__sanitize']);

/** True for a name that is refused everywhere. */
export function isForbiddenName(name: string): boolean {
  return FORBIDDEN_NAMES.has(name);
}

/** True for a name that is refused on functions, and allowed as a field of data. */
export function isNameOfCalls(name: string): boolean {
  return NAMES_OF_CALLS.has(name);
}

/** True for a name that no variable may have. */
export function isReservedVariable(name: string): boolean {
  return RESERVED_VARIABLES.has(name) || FORBIDDEN_NAMES.has(name);
}

/** The error for a name that is refused. */
export function forbidden(name: string, position?: number): ExpressionError {
  const message = `Cannot access "${name}" due to security concerns`;
  return new ExpressionError(message, position === undefined ? { type: 'security' } : { type: 'security', position });
}
