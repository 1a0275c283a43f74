import type { NodeContext } from '@weft/engine';
import { NodeFailure } from '@weft/engine';
import { compileParameter, evaluate } from '@weft/expressions';
import { bindParameters } from '../shared/sql/bind-parameters';
import { POSTGRES } from '../shared/sql/dialect';
import { queryText } from '../shared/sql/query-text';
import type { ItemQuery } from '../shared/sql/run-batches';
import { onlySelects } from '../shared/sql/scan-sql';

/** An expression within a text. */
const EXPRESSION = /\{\{[\s\S]*?\}\}/g;

/** The query of one item with the values of its parameters. */
export function executeQuery(context: NodeContext, itemIndex: number): ItemQuery {
  const query = queryText(context, itemIndex);
  if (query.trim() === '') throw new NodeFailure('The query is empty', { itemIndex });
  return {
    itemIndex,
    statements: bindParameters(query, queryParameters(context, itemIndex), POSTGRES, itemIndex),
    // older versions confirm even queries without rows
    isQuiet: context.version >= 2.3 && onlySelects(query, POSTGRES),
  };
}

/**
 * Values of the query parameters: a list, or a text with commas between the values. Expressions are evaluated one by
 * one, so a comma in the value of one is not a separator, except from version 2.5 on where an expression may give a
 * text of several values.
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
  return (raw.match(EXPRESSION) ?? []).length === 1 && /^=\s*\{\{[\s\S]*\}\}\s*$/.test(raw);
}

/** Up to version 2.4: commas are seen before expressions are evaluated. */
function eachEntry(text: string, valueOf: (source: string) => unknown): unknown[] {
  return entriesOf(text).flatMap((entry) => {
    const expressions = entry.match(EXPRESSION) ?? [];
    return expressions.length === 0 ? [entry] : expressions.map(valueOf);
  });
}

/** From version 2.5 on: the values of the expressions, of which lists and texts with commas are several. */
function eachExpression(text: string, valueOf: (source: string) => unknown): unknown[] {
  const expressions = text.match(EXPRESSION) ?? [];
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

function entriesOf(text: string): string[] {
  // commas within expressions separate nothing
  return (text.match(/(?:\{\{[\s\S]*?\}\}|[^,])+/g) ?? []).map((entry) => entry.trim());
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
