import { NodeFailure } from '@weft/engine';
import type { SqlSession } from '@weft/outbound';
import type { Row } from '../shared/sql/read-parameters';
import { databaseFailure } from '../shared/sql/sql-failure';

/** A table with its schema. */
export interface Table {
  readonly schema: string;
  readonly name: string;
}

/** A column as the server describes it. */
export interface Column {
  readonly isArray: boolean;
  readonly isNullable: boolean;
}

type Columns = ReadonlyMap<string, Column>;

/** Reads the columns of tables, each table once. A table that is not visible has none. */
export function columnsReader(session: SqlSession): (table: Table) => Promise<Columns> {
  const known = new Map<string, Columns>();
  return async ({ schema, name }) => {
    const key = JSON.stringify([schema, name]);
    const found = known.get(key);
    if (found !== undefined) return found;
    const columns = await readColumns(session, schema, name);
    known.set(key, columns);
    return columns;
  };
}

async function readColumns(session: SqlSession, schema: string, name: string): Promise<Columns> {
  try {
    const [result] = await session.run({
      text:
        'SELECT column_name, data_type, is_nullable FROM information_schema.columns ' +
        'WHERE table_schema = $1 AND table_name = $2',
      values: [schema, name],
    });
    return new Map(
      (result?.rows ?? []).map((row) => [
        String(row['column_name']),
        { isArray: row['data_type'] === 'ARRAY', isNullable: row['is_nullable'] === 'YES' },
      ]),
    );
  } catch (thrown) {
    throw databaseFailure(thrown);
  }
}

/**
 * A row in the form in which it is bound: arrays for array columns in the server's format.
 * @throws NodeFailure for a missing column, and for null where it is not allowed
 */
export function rowFor(row: Row, columns: Columns, convertsArrays: boolean, itemIndex: number): Row {
  if (columns.size === 0) return row;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const column = columns.get(name);
      if (column === undefined)
        throw new NodeFailure(`Column '${name}' does not exist in selected table`, { itemIndex });
      if (value === null && !column.isNullable)
        throw new NodeFailure(`Column '${name}' is not nullable`, { itemIndex });
      return [name, column.isArray ? arrayValue(name, value, column, convertsArrays, itemIndex) : value];
    }),
  );
}

function arrayValue(name: string, value: unknown, column: Column, parsesText: boolean, itemIndex: number): unknown {
  const list = parsesText && typeof value === 'string' ? parsed(value) : value;
  if (Array.isArray(list)) return arrayText(list);
  if (parsesText && !column.isNullable) throw new NodeFailure(`Column '${name}' has to be an array`, { itemIndex });
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The server's format, {1,2}, is passed on.
    return text;
  }
}

/** An array in PostgreSQL's format: `{1,"two",NULL}`. */
function arrayText(list: readonly unknown[]): string {
  const entries = list.map((entry) => {
    if (entry === null || entry === undefined) return 'NULL';
    if (Array.isArray(entry)) return arrayText(entry);
    if (typeof entry === 'number' || typeof entry === 'boolean') return String(entry);
    const text = typeof entry === 'string' ? entry : JSON.stringify(entry);
    return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  });
  return `{${entries.join(',')}}`;
}
