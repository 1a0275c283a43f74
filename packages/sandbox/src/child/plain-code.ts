import { Buffer } from 'node:buffer';
import { parse } from 'acorn';
import { findNames, type NameUse } from './find-names';

/** Longer code is not checked: most of it is a pasted library. */
const MAX_CODE_BYTES = 100_000;

/** Names that code may use in any way. It may assign only to those that are created for each run. */
const VALUES = new Set([
  ...['undefined', 'NaN', 'Infinity', 'parseInt', 'parseFloat', 'isNaN', 'isFinite', 'structuredClone'],
  ...['encodeURI', 'encodeURIComponent', 'decodeURI', 'decodeURIComponent', 'escape', 'unescape'],
  ...['Array', 'String', 'Number', 'Boolean', 'BigInt', 'Symbol', 'Date', 'RegExp', 'Map', 'Set', 'Promise'],
  ...['Error', 'TypeError', 'RangeError', 'SyntaxError'],
  ...['$', '$json', '$data', '$binary', '$input', '$items', '$item', '$node', '$itemIndex', '$workflow', '$execution'],
  ...['$executionId', '$mode', '$prevNode', '$runIndex', '$vars', '$env', '$parameter', '$nodeId', '$nodeVersion'],
  ...['$getWorkflowStaticData', 'getWorkflowStaticData', 'getNodeParameter', '$if', '$ifEmpty', '$min', '$max'],
  ...['items', 'item', 'index'],
]);
/** Names whose members code may only read. */
const NAMESPACES = new Set(['Object', 'JSON', 'Math', 'Intl', 'console']);
/** Values that are created for each run, so that code may assign to them and to their members. */
const OF_THE_RUN = /^(?:\$\w*|items|item)$/;
/** Properties that lead to objects shared by all code of a realm, or change their behaviour. */
const SHARED_PROPERTIES = new Set([
  ...['constructor', 'prototype', '__proto__', 'caller', 'callee', 'getPrototypeOf', 'setPrototypeOf'],
  ...['defineProperty', 'defineProperties', '__defineGetter__', '__defineSetter__', 'captureStackTrace'],
  ...['stackTraceLimit', 'prepareStackTrace'],
]);
/** Syntax that reaches the global object, loads something, or creates names that the text does not show. */
const REFUSED_SYNTAX: ReadonlySet<string> = new Set([
  ...['ThisExpression', 'Super', 'ImportExpression', 'MetaProperty', 'WithStatement', 'DebuggerStatement'],
]);

/**
 * True for code that, judging by its text, behaves the same in a realm with hardened shared objects. Most code does: it
 * computes with its items, uses common names of the language, and does not use the global object, prototypes, modules
 * or timers. Malicious code may look plain; the isolation of runs relies on the hardening, not on this check.
 */
export function isPlainCode(text: string): boolean {
  if (Buffer.byteLength(text) > MAX_CODE_BYTES) return false;
  try {
    const { body } = parse(text, { ecmaVersion: 'latest', sourceType: 'script' });
    const [statement] = body;
    // The code is the body of one function; code that closes it and continues after it is not plain.
    if (body.length !== 1 || statement?.type !== 'ExpressionStatement') return false;
    if (statement.expression.type !== 'FunctionExpression') return false;
    const { declared, uses, properties, syntax } = findNames(statement.expression);
    return (
      isDisjoint(REFUSED_SYNTAX, syntax) &&
      isDisjoint(SHARED_PROPERTIES, properties) &&
      uses.every((use) => isHarmless(use, declared))
    );
  } catch {
    return false;
  }
}

function isHarmless({ name, how }: NameUse, declared: ReadonlySet<string>): boolean {
  // Any declaration is enough: a name used outside its block counts as unknown.
  if (declared.has(name)) return true;
  if (how === 'assigned' || how === 'memberAssigned') return VALUES.has(name) && OF_THE_RUN.test(name);
  return VALUES.has(name) || (how === 'member' && NAMESPACES.has(name));
}

function isDisjoint(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].every((value) => !other.has(value));
}
