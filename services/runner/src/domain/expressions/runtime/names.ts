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

/** Names that are refused unless they are a field of plain data: JSON from outside holds them (`arguments` of a tool call). */
const DATA_ONLY_NAMES: ReadonlySet<string> = new Set(['arguments', 'caller', 'callee', 'binding']);

/** Names of the engine that a workflow of elsewhere may try to replace. */
const RESERVED_VARIABLES: ReadonlySet<string> = new Set(['___n8n_data', '__sanitize']);

/** True for a name that is refused everywhere. */
export function isForbiddenName(name: string): boolean {
  return FORBIDDEN_NAMES.has(name);
}

/** True for a name that is refused except as an own field of plain data. */
export function isDataOnlyName(name: string): boolean {
  return DATA_ONLY_NAMES.has(name);
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
