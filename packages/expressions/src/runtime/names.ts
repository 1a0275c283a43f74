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

/**
 * Names of the host's globals that expressions elsewhere find empty: each is an object without fields here, so that
 * text which only mentions one keeps working and nothing is ever reached through it.
 */
const DENIED: ReadonlySet<string> = new Set(
  `document global globalThis window Window self process require module exports alert prompt confirm
   eval uneval setTimeout setInterval setImmediate clearTimeout clearInterval queueMicrotask fetch XMLHttpRequest
   Promise Function Generator GeneratorFunction AsyncFunction AsyncGenerator AsyncGeneratorFunction WebAssembly
   Reflect Proxy Buffer Atomics escape unescape console`.split(/\s+/),
);

/** True for a global of the host that is an empty object here. */
export function isDeniedGlobal(name: string): boolean {
  return DENIED.has(name);
}

/**
 * Sets an own field of an object that an expression made.
 * @throws ExpressionError `security` for `__proto__`, which would change what the object is.
 */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') throw forbidden(key);
  target[key] = value;
}
