import { compile, search } from 'jmespath';
import type { QueryNode } from 'jmespath';
import { ExpressionError } from '../errors';
import { LIMITS } from '../limits';
import type { Arguments } from '../runtime/values/function-value';
import { isArray, isPlainObject } from '../runtime/kinds';
import { forbidden } from '../runtime/names';
import type { Run } from '../runtime/run';
import { overBudget } from '../runtime/run';
import { QuerySize, sizeOf } from './query-size';

/** `$jmespath(data, query)`. Null is an object without fields. */
export function queryJson(run: Run, [data, query]: Arguments): unknown {
  if (typeof query !== 'string' || typeof data !== 'object') {
    throw new ExpressionError('$jmespath expects two arguments: an object or array, and the query as a string', {
      type: 'type',
    });
  }
  if (query.length > LIMITS.queryLength)
    throw overBudget(`uses a JMESPath query longer than ${LIMITS.queryLength} characters`);
  // A name with escapes in it could be another one than it looks.
  const escaped = /"[^"]*\\/.exec(query);
  if (escaped !== null) throw forbidden(query);
  const copy = plainCopy(run, data ?? {});
  const tree = parse(query);
  if (tree.type === 'ExpressionReference') throw invalid('a reference is not a result');
  new QuerySize().of(tree, sizeOf(copy), 1);
  return adopt(run, runQuery(copy, query));
}

function parse(query: string): QueryNode {
  try {
    return compile(query);
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : 'it cannot be read');
  }
}

function runQuery(data: unknown, query: string): unknown {
  try {
    return search(data, query);
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : 'it does not fit the data');
  }
}

function invalid(reason: string): ExpressionError {
  return new ExpressionError(`The JMESPath query is not valid: ${reason}`, { type: 'type' });
}

/** The data as objects without a prototype, so that a query finds nothing but fields. */
function plainCopy(run: Run, value: unknown, depth = 0): unknown {
  if (depth > LIMITS.dataDepth) throw overBudget(`queries data nested deeper than ${LIMITS.dataDepth} levels`);
  if (isArray(value)) {
    run.allowEntries(value.length);
    return value.map((entry) => plainCopy(run, entry, depth + 1) ?? null);
  }
  if (isPlainObject(value)) {
    const entries = Object.entries(value);
    run.allowEntries(entries.length);
    const copy: Record<string, unknown> = Object.create(null);
    for (const [key, entry] of entries) {
      // The library would take such an object for a part of the query.
      if (key === '__proto__' || key === 'jmespathType') throw forbidden(key);
      copy[key] = plainCopy(run, entry, depth + 1);
    }
    return copy;
  }
  return ['string', 'number', 'boolean'].includes(typeof value) ? value : null;
}

/** The result as ordinary data that the expression made. */
function adopt(run: Run, value: unknown, depth = 0): unknown {
  if (depth > LIMITS.dataDepth) throw overBudget(`makes data nested deeper than ${LIMITS.dataDepth} levels`);
  if (isArray(value)) {
    run.allowEntries(value.length);
    return run.made(value.map((entry) => adopt(run, entry, depth + 1)));
  }
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value);
  run.allowEntries(entries.length);
  return run.made(Object.fromEntries(entries.map(([key, entry]) => [key, adopt(run, entry, depth + 1)])));
}
