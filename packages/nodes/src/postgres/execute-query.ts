import type { NodeContext } from '@weft/engine';
import { NodeFailure } from '@weft/engine';
import { compileParameter, evaluate } from '@weft/expressions';
import { bindParameters } from '../shared/sql/bind-parameters';
import { POSTGRES } from '../shared/sql/dialect';
import { queryText } from '../shared/sql/query-text';
import type { ItemQuery } from '../shared/sql/run-batches';
import { onlySelects } from '../shared/sql/scan-sql';

/** The query of one item with the values of its parameters. */
export function executeQuery(context: NodeContext, itemIndex: number): ItemQuery {
  const query = queryText(context, itemIndex);
  if (query.trim() === '') throw new NodeFailure('The query is empty', { itemIndex });
  return {
    itemIndex,
    statements: bindParameters(query, queryParameters(context, itemIndex), POSTGRES, itemIndex),
    // Older versions confirm even queries without rows.
    isQuiet: context.version >= 2.3 && onlySelects(query, POSTGRES),
  };
}

/**
 * Values of the query parameters: an array, or a comma-separated string. Expressions are evaluated individually, so a
 * comma in a result is not a separator, except from version 2.5 on, where an expression may return a string of several
 * values.
 */
function queryParameters(context: NodeContext, itemIndex: number): readonly unknown[] {
  const path = 'options.queryReplacement';
  const raw = context.rawParameter(path);
  const isExpression = typeof raw === 'string' && raw.startsWith('=');
  if (typeof raw !== 'string' || (isExpression && isOneExpression(raw))) {
    const value = context.parameter(path, itemIndex);
    if (Array.isArray(value)) return context.version < 2.5 ? value : value.filter((entry) => entry !== undefined);
    if (value !== null && value !== undefined && typeof value === 'object')
      throw new NodeFailure('Query Parameters must be a string of comma-separated values or an array of values', {
        itemIndex,
      });
  }
  const text = String(raw ?? '').replace(/^=+/, '');
  const valueOf = (source: string): unknown => evaluate(compileParameter(`=${source}`), context.scope(itemIndex));
  return context.version < 2.5 ? eachEntry(text, valueOf) : eachExpression(text, valueOf);
}

function isOneExpression(raw: string): boolean {
  const text = raw.slice(1).trim();
  return expressionsIn(raw).length === 1 && text.startsWith('{{') && text.endsWith('}}');
}

/** Up to version 2.4: splits at commas before expressions are evaluated. */
function eachEntry(text: string, valueOf: (source: string) => unknown): unknown[] {
  return entriesOf(text).flatMap((entry) => {
    const expressions = expressionsIn(entry);
    return expressions.length === 0 ? [entry] : expressions.map(valueOf);
  });
}

/** From version 2.5 on: the results of the expressions; arrays and comma-separated strings are several values. */
function eachExpression(text: string, valueOf: (source: string) => unknown): unknown[] {
  const expressions = expressionsIn(text);
  if (expressions.length === 0) return entriesOf(text);
  return expressions.flatMap((expression) => {
    const value = valueOf(expression);
    if (Array.isArray(value)) return value.filter((entry) => entry !== undefined);
    if (value === undefined) return [];
    if (value === null) return ['null'];
    const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return isJson(shown) ? [shown] : entriesOf(shown);
  });
}

/** The parts of a text that are expressions: from a `{{` to the next `}}`. */
export function expressionsIn(text: string): string[] {
  const found: string[] = [];
  for (let start = text.indexOf('{{'); start >= 0;) {
    const end = text.indexOf('}}', start + 2);
    if (end < 0) break;
    found.push(text.slice(start, end + 2));
    start = text.indexOf('{{', end + 2);
  }
  return found;
}

/** The entries between commas, without blanks around them. Commas within expressions are not separators. */
export function entriesOf(text: string): string[] {
  const entries: string[] = [];
  const lastEnd = text.lastIndexOf('}}');
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if (text.startsWith('{{', at) && at + 2 <= lastEnd) at = text.indexOf('}}', at + 2) + 1;
    else if (at === text.length || text[at] === ',') {
      if (at > start) entries.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return entries;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
