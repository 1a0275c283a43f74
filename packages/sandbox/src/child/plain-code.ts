import { Buffer } from 'node:buffer';
import { parse } from 'acorn';
import { findNames, type NameUse } from './find-names';

/** Longer code is not looked at: most of it is a library that somebody pasted. */
const MAX_CODE_BYTES = 100_000;

/** Names that code may use in any way, but assign only to those that are made for each run. */
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
/** Names that code may use only to read their members. */
const NAMESPACES = new Set(['Object', 'JSON', 'Math', 'Intl', 'console']);
/** Values that are made for each run, so that code may assign to them and to their members. */
const OF_THE_RUN = /^(?:\$\w*|items|item)$/;
/** Properties that lead to what all code of a realm shares, or change how it works. */
const SHARED_PROPERTIES = new Set([
  ...['constructor', 'prototype', '__proto__', 'caller', 'callee', 'getPrototypeOf', 'setPrototypeOf'],
  ...['defineProperty', 'defineProperties', '__defineGetter__', '__defineSetter__', 'captureStackTrace'],
  ...['stackTraceLimit', 'prepareStackTrace'],
]);
/** Syntax by which code reaches its global object, loads something, or makes names that cannot be read off its text. */
const REFUSED_SYNTAX: ReadonlySet<string> = new Set([
  ...['ThisExpression', 'Super', 'ImportExpression', 'MetaProperty', 'WithStatement', 'DebuggerStatement'],
]);

/**
 * True for code that judging by its text runs the same in a realm whose shared objects are hardened, as most code does:
 * it computes with its items, by the usual names of the language, and neither asks for the global object, nor for
 * prototypes, modules or timers. Code may look plain and not be: what keeps runs apart is the hardening, not this.
 */
export function isPlainCode(text: string): boolean {
  if (Buffer.byteLength(text) > MAX_CODE_BYTES) return false;
  try {
    const { body } = parse(text, { ecmaVersion: 'latest', sourceType: 'script' });
    const [statement] = body;
    // The text of a node is one function; code that closes it and goes on is none of it.
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
  // Declared anywhere is enough: a name that is used beyond its block is one that nothing is known of.
  if (declared.has(name)) return true;
  if (how === 'assigned' || how === 'memberAssigned') return VALUES.has(name) && OF_THE_RUN.test(name);
  return VALUES.has(name) || (how === 'member' && NAMESPACES.has(name));
}

function isDisjoint(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].every((value) => !other.has(value));
}
