import type { JsonObject } from '@weft/node-catalogue';
import { type Item, type NodeContext, NodeFailure } from '@weft/engine';
import type { SqlResult } from '@weft/outbound';
import { booleanParameter, choiceParameter, namesParameter, textParameter } from '../shared/read-parameter';
import { MYSQL } from '../shared/sql/dialect';
import { jsonOfRow } from '../shared/sql/json-of-row';
import { type PreparedQueries, prepareQueries } from '../shared/sql/prepare-queries';
import { nameParameter, type Row } from '../shared/sql/read-parameters';
import { type ItemQuery, runBatches } from '../shared/sql/run-batches';
import { StatementBuilder } from '../shared/sql/statement';
import { executeQuery } from './execute-query';
import { openMysqlSession } from './session';
import { insertChunks, priorityOf } from './table-operations';

type Operation = 'executeQuery' | 'insert' | 'update';

/** Version 1: outputs rows, or the server's response to a statement without rows. */
export async function runFirstVersion(context: NodeContext): Promise<Item[]> {
  const operation = choiceParameter(context, 'operation', 0, ['executeQuery', 'insert', 'update']);
  const session = await openMysqlSession(context, {
    datesAsText: false,
    largeNumbersAsText: false,
    decimalNumbers: false,
  });
  try {
    const { queries, failed } = await prepare(context, operation);
    const items = await runBatches(context, session, queries, {
      batching: 'independently',
      singleIsAtomic: false,
      errorItem: ({ message }) => ({ error: message }),
      show,
    });
    return [...failed, ...items];
  } finally {
    session.close();
  }
}

function show(_query: ItemQuery, results: readonly SqlResult[]): JsonObject[] {
  return results.flatMap(({ rows, hasRows, summary }) => (hasRows ? rows.map(jsonOfRow) : [jsonOfRow(summary)]));
}

async function prepare(context: NodeContext, operation: Operation): Promise<PreparedQueries> {
  if (operation === 'executeQuery')
    return prepareQueries(context, (index) => ({ ...executeQuery(context, index), isQuiet: true }));
  const columns = namesParameter(context, 'columns', 0);
  if (columns.length === 0) throw new NodeFailure('The parameter "columns" is empty');
  return operation === 'insert'
    ? { queries: [{ itemIndex: 0, statements: insert(context, columns), isQuiet: true }], failed: [] }
    : prepareQueries(context, (index) => update(context, columns, index));
}

function insert(context: NodeContext, columns: readonly string[]) {
  const ignore = booleanParameter(context, 'options.ignore', 0) ? 'IGNORE ' : '';
  const rows: Row[] = context.items.map(({ json }) => json);
  return insertChunks(nameParameter(context, 'table', 0), columns, rows, `${priorityOf(context, 0)}${ignore}`);
}

function update(context: NodeContext, columns: readonly string[], itemIndex: number): ItemQuery {
  const key = textParameter(context, 'updateKey', 0);
  const row: Row = context.items[itemIndex]?.json ?? {};
  const builder = new StatementBuilder(MYSQL)
    .sql('UPDATE ')
    .name(nameParameter(context, 'table', 0))
    .sql(' SET ');
  const assign = (column: string): StatementBuilder =>
    builder
      .name(column)
      .sql(' = ')
      .value(row[column] ?? null);
  builder.list(columns.includes(key) ? columns : [key, ...columns], assign).sql(' WHERE ');
  return { itemIndex, statements: [assign(key).statement()], isQuiet: true };
}
