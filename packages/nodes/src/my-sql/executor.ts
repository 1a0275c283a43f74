import type { JsonObject } from '@weft/node-catalogue';
import { type Item, type NodeContext, type NodeExecutor, output } from '@weft/engine';
import type { SqlResult } from '@weft/outbound';
import { booleanParameter, choiceParameter } from '../shared/read-parameter';
import { MYSQL } from '../shared/sql/dialect';
import { jsonOfRow } from '../shared/sql/json-of-row';
import { prepareQueries, type PreparedQueries } from '../shared/sql/prepare-queries';
import { BATCHING, errorOf, type ItemQuery, runBatches } from '../shared/sql/run-batches';
import { splitStatements } from '../shared/sql/scan-sql';
import { executeQuery } from './execute-query';
import { runFirstVersion } from './first-version';
import { openMysqlSession } from './session';
import { insertAll, TABLE_OPERATIONS, tableStatement } from './table-operations';

/** Runs queries on a MySQL or MariaDB server, and reads and writes rows of its tables. Versions 1 to 2.5. */
export const mySql: NodeExecutor = {
  kind: 'mySql',
  actsOutside: true,
  run: async (context) => output(context.version < 2 ? await runFirstVersion(context) : await run(context)),
};

const OPERATIONS = ['executeQuery', ...TABLE_OPERATIONS] as const;

type Operation = (typeof OPERATIONS)[number];

async function run(context: NodeContext): Promise<Item[]> {
  const operation = choiceParameter(context, 'operation', 0, OPERATIONS);
  const batching = choiceParameter(context, 'options.queryBatching', 0, BATCHING, 'single');
  const numbers = choiceParameter(context, 'options.largeNumbersOutput', 0, ['numbers', 'text'], 'numbers');
  const session = await openMysqlSession(context, {
    datesAsText: context.version >= 2.1,
    largeNumbersAsText: numbers === 'text',
    decimalNumbers: booleanParameter(context, 'options.decimalNumbers', 0),
  });
  try {
    const { queries, failed } = await prepare(context, operation, batching === 'single');
    const items = await runBatches(context, session, queries, {
      batching,
      singleIsAtomic: false,
      errorItem: (failure) => ({ message: failure.message, error: errorOf(failure) }),
      ...(booleanParameter(context, 'options.detailedOutput', 0) ? { show: details } : {}),
    });
    return [...failed, ...items];
  } finally {
    session.close();
  }
}

async function prepare(context: NodeContext, operation: Operation, isSingle: boolean): Promise<PreparedQueries> {
  if (operation === 'executeQuery') return prepareQueries(context, (index) => executeQuery(context, index));
  if (operation === 'insert' && isSingle)
    return { queries: [{ itemIndex: 0, statements: insertAll(context), isQuiet: false }], failed: [] };
  const isQuiet = operation === 'select' && context.version >= 2.2;
  return prepareQueries(context, (itemIndex) => ({
    itemIndex,
    statements: [tableStatement(context, operation, itemIndex)],
    isQuiet,
  }));
}

/** Each statement with the server's response. */
function details({ statements }: ItemQuery, results: readonly SqlResult[]): JsonObject[] {
  const texts = statements.flatMap(({ text }) => splitStatements(text, MYSQL));
  return results.map(({ rows, hasRows, summary }, index) => ({
    sql: texts[index] ?? '',
    data: hasRows ? rows.map(jsonOfRow) : jsonOfRow(summary),
  }));
}
