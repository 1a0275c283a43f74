import type { JsonObject } from '@weft/node-catalogue';
import { type Item, type NodeContext, NodeFailure } from '@weft/engine';
import type { SqlStatement } from '@weft/outbound';
import { choiceParameter, namesParameter, toJsonObject } from '../shared/read-parameter';
import { bindParameters } from '../shared/sql/bind-parameters';
import { POSTGRES } from '../shared/sql/dialect';
import { queryText } from '../shared/sql/query-text';
import { nameParameter, outputColumns, type Row } from '../shared/sql/read-parameters';
import { prepareQueries } from '../shared/sql/prepare-queries';
import { runBatches } from '../shared/sql/run-batches';
import { StatementBuilder } from '../shared/sql/statement';
import { openPostgresSession } from './session';

const CONNECT_MS = 30_000;
const MODES = { multiple: 'single', independently: 'independently', transaction: 'transaction' } as const;

/** A column with the type that its values are cast to: `id:int`. */
interface CastColumn {
  readonly name: string;
  /** With its colons; empty without a type. */
  readonly cast: string;
}

/** A type name with optional length and array suffix: `numeric(10, 2)[]`, `timestamp with time zone`. */
const CAST = /^[A-Za-z_][\w.]*(?: [A-Za-z_]\w*)*(?:\(\d+(?: ?, ?\d+)?\)(?: [A-Za-z_]\w*)*)?(?:\[\])*$/;

/** Version 1: columns are a comma-separated string, and all items share the parameters of the first. */
export async function runFirstVersion(context: NodeContext): Promise<Item[]> {
  const operation = choiceParameter(context, 'operation', 0, ['executeQuery', 'insert', 'update']);
  const mode = choiceParameter(
    context,
    'additionalFields.mode',
    0,
    ['multiple', 'independently', 'transaction'],
    'multiple',
  );
  const numbers = choiceParameter(context, 'additionalFields.largeNumbersOutput', 0, ['numbers', 'text'], 'text');
  const session = await openPostgresSession(
    context,
    { datesAsText: false, largeNumbers: numbers === 'numbers' },
    CONNECT_MS,
  );
  try {
    const make = makerOf(context, operation);
    const { queries, failed } = await prepareQueries(context, (itemIndex) => ({
      itemIndex,
      statements: make(itemIndex),
      isQuiet: true,
    }));
    const items = await runBatches(context, session, queries, {
      batching: MODES[mode],
      singleIsAtomic: true,
      errorItem: ({ message, context: facts }, query): JsonObject => ({
        ...toJsonObject(context.items[query.itemIndex]?.json),
        ...facts,
        message,
      }),
    });
    return [...failed, ...items];
  } finally {
    session.close();
  }
}

function makerOf(
  context: NodeContext,
  operation: 'executeQuery' | 'insert' | 'update',
): (index: number) => readonly SqlStatement[] {
  if (operation === 'executeQuery') {
    const names = namesParameter(context, 'additionalFields.queryParams', 0);
    return (index) => {
      const values = names.map((name) => context.items[index]?.json[name] ?? null);
      return bindParameters(queryText(context, index), values, POSTGRES, index);
    };
  }
  const columns = castColumns(context, 'columns');
  const keys = operation === 'update' ? castColumns(context, 'updateKey') : [];
  if (columns.length === 0) throw new NodeFailure('The parameter "columns" is empty');
  if (operation === 'update' && keys.length === 0) throw new NodeFailure('The parameter "updateKey" is empty');
  return (index) => [operation === 'insert' ? insert(context, columns, index) : update(context, columns, keys, index)];
}

function castColumns(context: NodeContext, path: string): CastColumn[] {
  return namesParameter(context, path, 0).map((entry) => {
    const [name = '', ...cast] = entry.split(':').map((part) => part.trim());
    const type = cast.join(':');
    if (type !== '' && !CAST.test(type)) throw new NodeFailure(`"${type}" in the parameter "${path}" is not a type`);
    return { name, cast: type === '' ? '' : `::${type}` };
  });
}

function begin(context: NodeContext, text: string): StatementBuilder {
  return new StatementBuilder(POSTGRES)
    .sql(text)
    .name(nameParameter(context, 'schema', 0))
    .sql('.')
    .name(nameParameter(context, 'table', 0));
}

const addValue = (builder: StatementBuilder, row: Row, { name, cast }: CastColumn): StatementBuilder =>
  builder.value(row[name] ?? null).sql(cast);

function addReturning(builder: StatementBuilder, context: NodeContext): SqlStatement {
  const fields = outputColumns(context, 'returnFields', 0);
  if (fields === undefined) builder.sql(' RETURNING *');
  else builder.sql(' RETURNING ').names(fields);
  return builder.statement();
}

function insert(context: NodeContext, columns: readonly CastColumn[], index: number): SqlStatement {
  const row = context.items[index]?.json ?? {};
  const builder = begin(context, 'INSERT INTO ')
    .sql(' (')
    .names(columns.map(({ name }) => name))
    .sql(') VALUES (');
  builder.list(columns, (column) => addValue(builder, row, column)).sql(')');
  return addReturning(builder, context);
}

function update(
  context: NodeContext,
  columns: readonly CastColumn[],
  keys: readonly CastColumn[],
  index: number,
): SqlStatement {
  const row = context.items[index]?.json ?? {};
  const assign = (builder: StatementBuilder, column: CastColumn): StatementBuilder =>
    addValue(builder.name(column.name).sql(' = '), row, column);
  const builder = begin(context, 'UPDATE ').sql(' SET ');
  builder.list(columns, (column) => assign(builder, column)).sql(' WHERE ');
  builder.list(keys, (key) => assign(builder, key), ' AND ');
  return addReturning(builder, context);
}
