import type { Literal } from 'acorn';
import { ExpressionError } from '../errors';
import { readPattern } from '../regex/pattern';
import type { Pattern } from '../regex/pattern';
import { RegexValue } from '../regex/regex-value';
import { ErrorValue, Thrown } from '../runtime/thrown';
import type { Context } from './context';
import type { Code } from './frame';

/** Compiles a number, text, boolean, null or regular expression. */
export function compileLiteral(node: Literal, context: Context): Code {
  if (node.regex !== undefined && node.regex !== null) return compileRegex(node.regex, node.start, context);
  const value = node.value ?? null;
  if (typeof value === 'bigint' || (node.bigint !== undefined && node.bigint !== null))
    throw context.unit.refuse('BigInt is', node.start);
  if (typeof value === 'object' && value !== null) throw context.unit.refuse('This literal is', node.start);
  return () => value;
}

function compileRegex({ pattern, flags }: { pattern: string; flags: string }, start: number, context: Context): Code {
  const compiled = readOrRefuse(pattern, flags, context.unit.position(start));
  // A new value each time, as in JavaScript: it stores the place of its last match.
  return () => new RegexValue(compiled);
}

function readOrRefuse(pattern: string, flags: string, position: number): Pattern {
  try {
    return readPattern(pattern, flags);
  } catch (error) {
    if (!(error instanceof Thrown) || !(error.value instanceof ErrorValue)) throw error;
    throw new ExpressionError('invalid syntax', { type: 'syntax', position, description: error.value.message });
  }
}
