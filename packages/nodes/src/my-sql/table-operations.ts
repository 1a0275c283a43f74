import { type NodeContext, NodeFailure } from '@weft/engine';
import type { SqlStatement } from '@weft/outbound';
import { booleanParameter, choiceParameter, numberParameter, textParameter } from '../shared/read-parameter';
import { MYSQL } from '../shared/sql/dialect';
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
import { StatementBuilder } from '../shared/sql/statement';

/** The operations on tables. */
export const TABLE_OPERATIONS = ['insert', 'select', 'update', 'upsert', 'deleteTable'] as const;

export type TableOperation = (typeof TABLE_OPERATIONS)[number];

/** Maximum number of placeholders in one statement. */
const MAX_VALUES = 65_535;

const builderOf = (): StatementBuilder => new StatementBuilder(MYSQL);

/** The statement for one item. @throws NodeFailure if the item does not permit one */
export function tableStatement(context: NodeContext, operation: TableOperation, index: number): SqlStatement {
  const table = nameParameter(context, 'table', index);
  switch (operation) {
    case 'insert': {
      const row = rowToWrite(context, index);
      return insertRows(table, Object.keys(row), [row], modifiersOf(context, index));
    }
    case 'update':
      return update(context, table, index);
    case 'upsert':
      return upsert(context, table, index);
    case 'select':
      return select(context, table, index);
    case 'deleteTable':
      return deleteTable(context, table, index);
  }
}

/** As few statements as possible that insert the rows of all items, with the columns of all. */
export function insertAll(context: NodeContext): SqlStatement[] {
  const rows = [...context.items.keys()].map((index) => rowToWrite(context, index));
  return insertChunks(
    nameParameter(context, 'table', 0),
    [...new Set(rows.flatMap((row) => Object.keys(row)))],
    rows,
    modifiersOf(context, 0),
  );
}

/** Statements that insert rows, each with as many as the server accepts. */
export function insertChunks(
  table: string,
  columns: readonly string[],
  rows: readonly Row[],
  modifiers: string,
): SqlStatement[] {
  const size = Math.max(1, Math.floor(MAX_VALUES / Math.max(1, columns.length)));
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, chunk) =>
    insertRows(table, columns, rows.slice(chunk * size, (chunk + 1) * size), modifiers),
  );
}

function insertRows(table: string, columns: readonly string[], rows: readonly Row[], modifiers: string): SqlStatement {
  const builder = builderOf().sql(`INSERT ${modifiers}INTO `).name(table).sql(' (').names(columns).sql(') VALUES ');
  const addRow = (row: Row): void => {
    builder
      .sql('(')
      .list(columns, (column) => builder.value(Object.hasOwn(row, column) ? row[column] : null))
      .sql(')');
  };
  return builder.list(rows, addRow, ', ').statement();
}

/** Keywords between INSERT and INTO. */
function modifiersOf(context: NodeContext, index: number): string {
  return `${priorityOf(context, index)}${booleanParameter(context, 'options.skipOnConflict', index) ? 'IGNORE ' : ''}`;
}

/** The keyword for the priority of an insert, with a trailing space. */
export function priorityOf(context: NodeContext, index: number): string {
  const priority = textParameter(context, 'options.priority', index);
  if (priority === '') return '';
  return `${choiceParameter(context, 'options.priority', index, ['LOW_PRIORITY', 'HIGH_PRIORITY'])} `;
}

function rowToWrite(context: NodeContext, index: number): Row {
  const mode = choiceParameter(context, 'dataMode', index, ['autoMapInputData', 'defineBelow']);
  const row = mode === 'defineBelow' ? listedRow(context, 'valuesToSend.values', index) : inputRow(context, index);
  return withoutEmpty(row, booleanParameter(context, 'options.replaceEmptyStrings', index));
}

/** A row with the column that selects rows, and its value. */
function keyedRow(context: NodeContext, index: number): { key: string; row: Row; changed: string[] } {
  const key = textParameter(context, 'columnToMatchOn', index);
  const given = rowToWrite(context, index);
  const isListed = choiceParameter(context, 'dataMode', index, ['autoMapInputData', 'defineBelow']) === 'defineBelow';
  const row = isListed ? { ...given, [key]: context.parameter('valueToMatchOn', index) ?? '' } : given;
  if (!Object.hasOwn(row, key))
    throw new NodeFailure(`The item has no value for the column to match on: ${key}`, { itemIndex: index });
  const changed = Object.keys(row).filter((column) => column !== key);
  if (changed.length === 0)
    throw new NodeFailure('The item has no values besides the column to match on', { itemIndex: index });
  return { key, row, changed };
}

const addAssignments = (builder: StatementBuilder, row: Row, columns: readonly string[]): StatementBuilder =>
  builder.list(columns, (column) => builder.name(column).sql(' = ').value(row[column]));

function update(context: NodeContext, table: string, index: number): SqlStatement {
  const { key, row, changed } = keyedRow(context, index);
  const builder = addAssignments(builderOf().sql('UPDATE ').name(table).sql(' SET '), row, changed);
  return builder.sql(' WHERE ').name(key).sql(' = ').value(row[key]).statement();
}

function upsert(context: NodeContext, table: string, index: number): SqlStatement {
  const { row, changed } = keyedRow(context, index);
  const columns = Object.keys(row);
  const builder = builderOf().sql('INSERT INTO ').name(table).sql(' (').names(columns).sql(') VALUES (');
  builder.list(columns, (column) => builder.value(row[column])).sql(') ON DUPLICATE KEY UPDATE ');
  return addAssignments(builder, row, changed).statement();
}

function select(context: NodeContext, table: string, index: number): SqlStatement {
  const builder = builderOf().sql(
    booleanParameter(context, 'options.selectDistinct', index) ? 'SELECT DISTINCT ' : 'SELECT ',
  );
  const columns = outputColumns(context, 'options.outputColumns', index);
  if (columns === undefined) builder.sql('*');
  else builder.names(columns);
  builder.sql(' FROM ').name(table);
  where(context, builder, index);
  addSort(builder, context, index);
  if (!booleanParameter(context, 'returnAll', index))
    // A validated integer; not every server accepts a bound value here.
    builder.sql(` LIMIT ${Math.max(0, Math.trunc(numberParameter(context, 'limit', index)))}`);
  return builder.statement();
}

function where(context: NodeContext, builder: StatementBuilder, itemIndex: number): void {
  addWhere(builder, context, itemIndex, (value, entry) => {
    throw new NodeFailure(`Condition ${entry} of "where" compares numbers, but its value is "${String(value)}"`, {
      itemIndex,
    });
  });
}

function deleteTable(context: NodeContext, table: string, index: number): SqlStatement {
  const command = choiceParameter(context, 'deleteCommand', index, ['truncate', 'delete', 'drop']);
  if (command === 'drop') return builderOf().sql('DROP TABLE IF EXISTS ').name(table).statement();
  if (command === 'truncate') return builderOf().sql('TRUNCATE TABLE ').name(table).statement();
  const builder = builderOf().sql('DELETE FROM ').name(table);
  where(context, builder, index);
  return builder.statement();
}
