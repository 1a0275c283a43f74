import type { Json, JsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '../node/node-failure';
import type { DataTable, DataTables, RowCondition, RowFilter, TableRow } from '../ports/data-tables';

/** A table of a test: its columns are those of its rows. */
export interface MemoryTable {
  readonly name: string;
  readonly rows: readonly JsonObject[];
  readonly columns?: readonly string[];
}

/** Data tables in memory, by the rules of the service as far as nodes depend on them. Tables have the ids t1, t2, … */
export interface MemoryDataTables extends DataTables {
  /** Rows of a table by its name, without their times. */
  readonly rowsOf: (name: string) => JsonObject[];
}

const AT = '2026-01-02T03:04:05.678Z';

interface Stored {
  table: DataTable;
  rows: TableRow[];
  made: number;
}

/** Makes them. */
export function memoryDataTables(tables: readonly MemoryTable[]): MemoryDataTables {
  const stored = new Map<string, Stored>();
  const answers = new Map<string, readonly TableRow[]>();
  const add = ({ name, rows, columns }: MemoryTable): void => {
    const names = columns ?? [...new Set(rows.flatMap(Object.keys))];
    const id = `t${stored.size + 1}`;
    stored.set(id, {
      table: { id, name, columns: names.map((one) => ({ name: one, type: 'string' })), createdAt: AT, updatedAt: AT },
      rows: [],
      made: 0,
    });
    insertInto(of(id), rows);
  };
  const of = (id: string): Stored => {
    const one = stored.get(id);
    if (one === undefined) throw new NodeFailure(`There is no data table ${id}.`);
    return one;
  };
  const once = (operation: string, act: () => readonly TableRow[]): Promise<readonly TableRow[]> => {
    const rows = answers.get(operation) ?? act();
    answers.set(operation, rows);
    return Promise.resolve(rows);
  };
  const update = (id: string, filter: RowFilter, values: JsonObject): TableRow[] =>
    matching(of(id), filter).map((row) => Object.assign(row, checked(of(id), values)));
  tables.forEach(add);
  return {
    rowsOf: (name) =>
      [...stored.values()]
        .filter(({ table }) => table.name === name)
        .flatMap(({ rows }) => rows)
        .map(({ createdAt: _createdAt, updatedAt: _updatedAt, ...row }) => row),
    find: (by) =>
      Promise.resolve(
        'id' in by ? stored.get(by.id)?.table : [...stored.values()].find(({ table }) => table.name === by.name)?.table,
      ),
    list: () => Promise.resolve([...stored.values()].map(({ table }) => table)),
    create: (name, columns) => {
      add({ name, rows: [], columns: columns.map((column) => column.name) });
      return Promise.resolve(of(`t${stored.size}`).table);
    },
    rename: (id, name) => {
      const one = of(id);
      one.table = { ...one.table, name };
      return Promise.resolve(one.table);
    },
    remove: (id) => {
      stored.delete(id);
      return Promise.resolve();
    },
    query: (id, { filter, orderBy, descending, limit, cursor }) => {
      const from = Number(cursor);
      const found = [...matching(of(id), filter)].sort(
        (left, right) =>
          compare(left[orderBy === '' ? 'id' : orderBy], right[orderBy === '' ? 'id' : orderBy]) *
          (descending ? -1 : 1),
      );
      return Promise.resolve({
        rows: found.slice(from, from + limit),
        nextCursor: from + limit < found.length ? String(from + limit) : '',
      });
    },
    insert: (id, rows, operation) => once(operation, () => insertInto(of(id), rows)),
    update: (id, filter, values, operation) => once(operation, () => update(id, filter, values)),
    upsert: (id, filter, values, operation) =>
      once(operation, () => {
        const changed = update(id, filter, values);
        return changed.length > 0 ? changed : insertInto(of(id), [values]);
      }),
    removeRows: (id, filter, operation) =>
      once(operation, () => {
        const gone = matching(of(id), filter);
        of(id).rows = of(id).rows.filter((row) => !gone.includes(row));
        return gone;
      }),
  };
}

function insertInto(one: Stored, rows: readonly JsonObject[]): TableRow[] {
  const all = rows.map((values) => checked(one, values));
  return all.map((values) => {
    one.made += 1;
    const row: TableRow = {
      id: one.made,
      createdAt: AT,
      updatedAt: AT,
      ...Object.fromEntries(one.table.columns.map(({ name }) => [name, values[name] ?? null])),
    };
    one.rows.push(row);
    return row;
  });
}

function checked({ table }: Stored, values: JsonObject): JsonObject {
  const unknown = Object.keys(values).find((name) => !table.columns.some((column) => column.name === name));
  if (unknown !== undefined) throw new NodeFailure(`The table has no column ${unknown}.`);
  return values;
}

function matching({ rows }: Stored, { matchAll, conditions }: RowFilter): TableRow[] {
  const holds =
    (row: TableRow) =>
    ({ column, condition, value }: RowCondition): boolean => {
      const cell = row[column] ?? null;
      switch (condition) {
        case 'eq':
          return cell === value;
        case 'gt':
          return compare(cell, value) > 0;
        case 'lte':
          return compare(cell, value) <= 0;
        case 'isEmpty':
          return cell === null || cell === '';
        default:
          throw new NodeFailure(`The tables of tests know no condition ${condition}.`);
      }
    };
  return rows.filter(
    (row) => conditions.length === 0 || (matchAll ? conditions.every(holds(row)) : conditions.some(holds(row))),
  );
}

function compare(left: Json | undefined, right: Json | undefined): number {
  if (left === right) return 0;
  return left === null || left === undefined || (right !== null && right !== undefined && left < right) ? -1 : 1;
}
