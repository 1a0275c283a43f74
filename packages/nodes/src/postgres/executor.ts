import { type Item, type NodeContext, type NodeExecutor, output } from '@weft/engine';
import { choiceParameter, numberParameter } from '../shared/read-parameter';
import { BATCHING, errorOf, type ItemQuery, runBatches } from '../shared/sql/run-batches';
import { inItemOrder, prepareQueries } from '../shared/sql/prepare-queries';
import { executeQuery } from './execute-query';
import { runFirstVersion } from './first-version';
import { openPostgresSession } from './session';
import { TABLE_OPERATIONS, tableStatements } from './table-operations';

/** Runs queries on a PostgreSQL server, and reads and writes rows of its tables. Versions 1 to 2.7. */
export const postgres: NodeExecutor = {
  kind: 'postgres',
  actsOutside: true,
  run: async (context) => output(context.version < 2 ? await runFirstVersion(context) : await run(context)),
};

async function run(context: NodeContext): Promise<Item[]> {
  const operation = choiceParameter(context, 'operation', 0, ['executeQuery', ...TABLE_OPERATIONS]);
  const batching = choiceParameter(context, 'options.queryBatching', 0, BATCHING, 'single');
  const session = await openPostgresSession(
    context,
    {
      datesAsText: context.version >= 2.7,
      largeNumbers:
        choiceParameter(context, 'options.largeNumbersOutput', 0, ['numbers', 'text'], 'text') === 'numbers',
    },
    numberParameter(context, 'options.connectionTimeout', 0, 30) * 1000,
  );
  try {
    const make =
      operation === 'executeQuery'
        ? (index: number): Promise<ItemQuery> => Promise.resolve(executeQuery(context, index))
        : tableQuery(tableStatements(context, session, operation), operation === 'select');
    const { queries, failed } = await prepareQueries(context, make);
    // All or nothing: an item without a query prevents the others from running.
    if (failed.length > 0 && batching !== 'independently') return [...failed];
    const items = await runBatches(context, session, queries, {
      batching,
      singleIsAtomic: true,
      errorItem: (failure) => ({ error: errorOf(failure) }),
    });
    return inItemOrder([...items, ...failed]);
  } finally {
    session.close();
  }
}

const tableQuery =
  (make: ReturnType<typeof tableStatements>, isQuiet: boolean) =>
  async (itemIndex: number): Promise<ItemQuery> => ({ itemIndex, statements: [await make(itemIndex)], isQuiet });
