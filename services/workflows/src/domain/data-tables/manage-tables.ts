import { isUuid, uuidv7 } from '@weft/service-kit/ids';
import { readPage } from '@weft/service-kit/paging';
import { ownerOf, requireOwn, type Actor } from './actor';
import { checkColumns, checkTableName } from './check-table';
import type { DataTable, DataTableStore, RowStore } from './data-table';
import { DataTableNameTaken, DataTableNotFound, TooManyDataTables } from './errors';

const MAX_TABLES = 200;

/** What can be done with tables as a whole. */
export interface ManageTables {
  /** Newest first. @throws InvalidRequest for a limit above 100 or a cursor of other making */
  readonly list: (
    limit: number,
    cursor: string,
  ) => Promise<{ readonly tables: readonly DataTable[]; readonly nextCursor: string }>;
  /** By id, or by name if the id is empty. @throws DataTableNotFound */
  readonly get: (id: string, name: string) => Promise<DataTable>;
  /** @throws InvalidRequest, DataTableNameTaken, TooManyDataTables */
  readonly create: (
    actor: Actor,
    name: string,
    columns: readonly { readonly name: string; readonly type: string }[],
  ) => Promise<DataTable>;
  /** @throws InvalidRequest, DataTableNotFound, NotYourDataTable, DataTableNameTaken */
  readonly rename: (actor: Actor, id: string, name: string) => Promise<DataTable>;
  /** With all rows. @throws DataTableNotFound, also when it is deleted already; NotYourDataTable */
  readonly remove: (actor: Actor, id: string) => Promise<void>;
}

/** A table by its id. @throws DataTableNotFound */
export const tableById = async (tables: Pick<DataTableStore, 'find'>, id: string): Promise<DataTable> => {
  const table = isUuid(id) ? await tables.find(id) : undefined;
  if (table === undefined) throw new DataTableNotFound(id);
  return table;
};

/** Manages tables in their store. */
export const createManageTables = (tables: DataTableStore, rows: Pick<RowStore, 'removeAll'>): ManageTables => ({
  list: async (limit, cursor) => {
    const { items, nextCursor } = await readPage({ read: tables.page, idOf: ({ id }) => id }, { limit, cursor });
    return { tables: items, nextCursor };
  },
  get: async (id, name) => {
    const table = id === '' ? await tables.findByName(name.trim()) : await tableById(tables, id);
    if (table === undefined) throw new DataTableNotFound(name);
    return table;
  },
  create: async (actor, name, columns) => {
    const now = new Date();
    const table: DataTable = {
      id: uuidv7(),
      name: checkTableName(name),
      columns: checkColumns(columns),
      ownerId: ownerOf(actor),
      createdAt: now,
      updatedAt: now,
    };
    if ((await tables.count()) >= MAX_TABLES) throw new TooManyDataTables(MAX_TABLES);
    if ((await tables.insert(table)) === 'name-taken') throw new DataTableNameTaken(table.name);
    return table;
  },
  rename: async (actor, id, name) => {
    const table = await tableById(tables, id);
    requireOwn(actor, table);
    const next: DataTable = { ...table, name: checkTableName(name), updatedAt: new Date() };
    const outcome = await tables.rename(id, next.name, next.updatedAt);
    if (outcome === 'name-taken') throw new DataTableNameTaken(next.name);
    if (outcome === 'gone') throw new DataTableNotFound(id);
    return next;
  },
  remove: async (actor, id) => {
    const table = await tableById(tables, id);
    requireOwn(actor, table);
    const isRemoved = await tables.remove(id);
    await rows.removeAll(id);
    if (!isRemoved) throw new DataTableNotFound(id);
  },
});
