import { type NodeContext, NodeFailure } from '@weft/engine';
import type { SqlSession, SqlStatement } from '@weft/outbound';
import {
  booleanParameter,
  choiceParameter,
  namesParameter,
  numberParameter,
  textParameter,
} from '../shared/read-parameter';
import { POSTGRES } from '../shared/sql/dialect';
import {
  addSort,
  addWhere,
  inputRow,
  listedRow,
  nameParameter,
  outputColumns,
  type Row,
  withoutEmpty,
} from '../shared/sql/read-parameters';
import { databaseFailure } from '../shared/sql/sql-failure';
import { sqlValue, StatementBuilder } from '../shared/sql/statement';
import { columnsReader, rowFor, type Table } from './table-columns';

/** The operations on tables. */
export const TABLE_OPERATIONS = ['insert', 'select', 'update', 'upsert', 'deleteTable'] as const;

export type TableOperation = (typeof TABLE_OPERATIONS)[number];

/** Creates the statement for one item; rejects with NodeFailure if the item does not permit one. */
export type MakeStatement = (itemIndex: number) => Promise<SqlStatement>;

/** Creates the statements of the table operations. */
export function tableStatements(context: NodeContext, session: SqlSession, operation: TableOperation): MakeStatement {
  const columnsOf = columnsReader(session);
  const writes = async (index: number): Promise<{ table: Table; row: Row; keys: string[] }> => {
    const table = tableOf(context, index);
    const keys = operation === 'insert' ? [] : matchingColumns(context, index);
    const raw = rowToWrite(context, keys, index);
    const row = withoutEmpty(raw, booleanParameter(context, 'options.replaceEmptyStrings', index));
    return { table, keys, row: rowFor(row, await columnsOf(table), context.version >= 2.4, index) };
  };
  switch (operation) {
    case 'insert':
      return async (index) => {
        const { table, row } = await writes(index);
        return insert(context, table, row, index);
      };
    case 'update':
      return async (index) => {
        const { table, row, keys } = await writes(index);
        checkKeys(row, keys, index);
        if (context.version >= 2.2) await checkExists(session, table, row, keys, index);
        return update(context, table, row, keys, index);
      };
    case 'upsert':
      return async (index) => {
        const { table, row, keys } = await writes(index);
        checkKeys(row, keys, index);
        return upsert(context, table, row, keys, index);
      };
    case 'select':
      return (index) => Promise.resolve(select(context, index));
    case 'deleteTable':
      return (index) => Promise.resolve(deleteTable(context, index));
  }
}

const begin = (text: string, { schema, name }: Table): StatementBuilder =>
  new StatementBuilder(POSTGRES).sql(text).name(schema).sql('.').name(name);

function tableOf(context: NodeContext, index: number): Table {
  return { schema: nameParameter(context, 'schema', index), name: nameParameter(context, 'table', index) };
}

function matchingColumns(context: NodeContext, index: number): string[] {
  return namesParameter(context, context.version < 2.2 ? 'columnToMatchOn' : 'columns.matchingColumns', index);
}

function rowToWrite(context: NodeContext, keys: readonly string[], index: number): Row {
  const isOlder = context.version < 2.2;
  const modes = ['autoMapInputData', 'defineBelow'] as const;
  const mode = choiceParameter(context, isOlder ? 'dataMode' : 'columns.mappingMode', index, modes);
  if (mode === 'autoMapInputData') return inputRow(context, index);
  if (!isOlder) return { ...Object(context.parameter('columns.value', index)) };
  const [key] = keys;
  const row = listedRow(context, 'valuesToSend.values', index);
  return key === undefined ? row : { ...row, [key]: textParameter(context, 'valueToMatchOn', index) };
}

function checkKeys(row: Row, keys: readonly string[], itemIndex: number): void {
  const missing = keys.length === 0 ? '' : keys.find((key) => (row[key] ?? '') === '');
  if (missing !== undefined)
    throw new NodeFailure(
      missing === ''
        ? 'No column to match on is selected'
        : `The item has no value for the column to match on: ${missing}`,
      { itemIndex, description: 'Add the column to the input, or define its value in the node.' },
    );
  if (Object.keys(row).every((column) => keys.includes(column)))
    throw new NodeFailure('The item has no values besides the columns to match on', {
      itemIndex,
      description: 'Add values to the input, or define them in the node.',
    });
}

async function checkExists(session: SqlSession, table: Table, row: Row, keys: readonly string[], itemIndex: number) {
  const builder = begin('SELECT EXISTS (SELECT 1 FROM ', table).sql(' WHERE ');
  addMatch(builder, row, keys).sql(') AS found');
  const [result] = await session.run(builder.statement()).catch((thrown: unknown) => {
    throw databaseFailure(thrown, itemIndex);
  });
  if (result?.rows[0]?.['found'] === true) return;
  const values = keys.map((key) => `${key}=${String(sqlValue(row[key]))}`).join(', ');
  throw new NodeFailure("The row you are trying to update doesn't exist", {
    itemIndex,
    description: `No row of the table "${table.name}" has the given values (${values}).`,
  });
}

function addMatch(builder: StatementBuilder, row: Row, keys: readonly string[]): StatementBuilder {
  return builder.list(keys, (key) => builder.name(key).sql(' = ').value(row[key]), ' AND ');
}

function addAssignments(builder: StatementBuilder, row: Row, columns: readonly string[]): StatementBuilder {
  return builder.list(columns, (column) => builder.name(column).sql(' = ').value(row[column]));
}

function addReturning(builder: StatementBuilder, context: NodeContext, index: number): SqlStatement {
  const columns = outputColumns(context, 'options.outputColumns', index);
  if (columns === undefined) builder.sql(' RETURNING *');
  else builder.sql(' RETURNING ').names(columns);
  return builder.statement();
}

function insert(context: NodeContext, table: Table, row: Row, index: number): SqlStatement {
  const columns = Object.keys(row);
  const builder = begin('INSERT INTO ', table);
  if (columns.length === 0) builder.sql(' DEFAULT VALUES');
  else
    builder
      .sql(' (')
      .names(columns)
      .sql(') VALUES (')
      .list(columns, (column) => builder.value(row[column]))
      .sql(')');
  if (booleanParameter(context, 'options.skipOnConflict', index)) builder.sql(' ON CONFLICT DO NOTHING');
  return addReturning(builder, context, index);
}

function update(context: NodeContext, table: Table, row: Row, keys: readonly string[], index: number): SqlStatement {
  const columns = Object.keys(row).filter((column) => !keys.includes(column));
  const builder = addAssignments(begin('UPDATE ', table).sql(' SET '), row, columns).sql(' WHERE ');
  return addReturning(addMatch(builder, row, keys), context, index);
}

function upsert(context: NodeContext, table: Table, row: Row, keys: readonly string[], index: number): SqlStatement {
  const columns = Object.keys(row);
  const builder = begin('INSERT INTO ', table).sql(' (').names(columns).sql(') VALUES (');
  builder
    .list(columns, (column) => builder.value(row[column]))
    .sql(') ON CONFLICT (')
    .names(keys)
    .sql(') DO UPDATE SET ');
  addAssignments(
    builder,
    row,
    columns.filter((column) => !keys.includes(column)),
  );
  return addReturning(builder, context, index);
}

function select(context: NodeContext, index: number): SqlStatement {
  const { schema, name } = tableOf(context, index);
  const columns = outputColumns(context, 'options.outputColumns', index);
  const builder = new StatementBuilder(POSTGRES).sql('SELECT ');
  if (columns === undefined) builder.sql('*');
  else builder.names(columns);
  builder.sql(' FROM ').name(schema).sql('.').name(name);
  addWhere(builder, context, index);
  addSort(builder, context, index);
  if (!booleanParameter(context, 'returnAll', index))
    builder.sql(' LIMIT ').value(Math.trunc(numberParameter(context, 'limit', index)));
  return builder.statement();
}

function deleteTable(context: NodeContext, index: number): SqlStatement {
  const table = tableOf(context, index);
  const command = choiceParameter(context, 'deleteCommand', index, ['truncate', 'delete', 'drop']);
  if (command === 'delete') {
    const builder = begin('DELETE FROM ', table);
    addWhere(builder, context, index);
    return builder.statement();
  }
  const cascade = booleanParameter(context, 'options.cascade', index) ? ' CASCADE' : '';
  if (command === 'drop') return begin('DROP TABLE IF EXISTS ', table).sql(cascade).statement();
  const restart = booleanParameter(context, 'restartSequences', index) ? ' RESTART IDENTITY' : '';
  return begin('TRUNCATE TABLE ', table).sql(restart).sql(cascade).statement();
}
