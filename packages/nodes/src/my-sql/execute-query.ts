import { type NodeContext, NodeFailure } from '@weft/engine';
import { bindParameters } from '../shared/sql/bind-parameters';
import { MYSQL } from '../shared/sql/dialect';
import { queryText } from '../shared/sql/query-text';
import type { ItemQuery } from '../shared/sql/run-batches';
import { onlySelects } from '../shared/sql/scan-sql';

/** The query of one item with the values of its parameters. */
export function executeQuery(context: NodeContext, itemIndex: number): ItemQuery {
  const query = queryText(context, itemIndex).trim();
  if (query === '') throw new NodeFailure('The query is empty', { itemIndex });
  return {
    itemIndex,
    statements: bindParameters(query, queryParameters(context, itemIndex), MYSQL, itemIndex),
    // Older versions confirm even queries without rows.
    isQuiet: context.version >= 2.2 && onlySelects(query, MYSQL),
  };
}

/** Values of the query parameters: an array, or a comma-separated string. */
function queryParameters(context: NodeContext, itemIndex: number): readonly unknown[] {
  const given = context.parameter('options.queryReplacement', itemIndex) ?? '';
  const values = typeof given === 'string' || typeof given === 'number' ? entriesOf(String(given)) : given;
  if (!Array.isArray(values))
    throw new NodeFailure('Query Parameters must be a string of comma-separated values, or an array of values', {
      itemIndex,
    });
  return context.version >= 2.3 ? values.map((value) => numberIn(value)) : values;
}

function entriesOf(text: string): string[] {
  return text === '' ? [] : text.split(',').map((entry) => entry.trim());
}

/** Converts a numeric string other than 0 to a number. */
function numberIn(value: unknown): unknown {
  return typeof value === 'string' && Number(value) ? Number(value) : value;
}
