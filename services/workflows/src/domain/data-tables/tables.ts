import {
  ChangedSinceRead,
  etagOfParts,
  holdsFor,
  InvalidRequest,
  isConditional,
  type EtagCondition,
  type FieldError,
} from '@weft/service-kit/errors';
import { isUuid, uuidv7 } from '@weft/service-kit/ids';
import { ownedBy, readPage, type OwnedPageParams } from '@weft/service-kit/paging';
import { boundReached, type ChooseOwner } from '@weft/service-kit/ownership';
import { chooseTableOwner, mayManage, type Actor } from './actor';
import { COLUMN_TYPES, SYSTEM_COLUMNS, type Column, type DataTable, type RowStore } from './data-table';
import type { ScopedTables } from '../scoped-stores';
import { DataTableNameTaken, DataTableNotFound, NotYourDataTable, TooManyDataTables } from './errors';

/** A column as sent by callers. */
export interface ColumnInput {
  readonly name: string;
  readonly type: string;
}

/** A table to be created. */
export interface NewTable {
  readonly name: string;
  readonly columns: readonly ColumnInput[];
  readonly isShared: boolean;
  /** Owner: a project or user; undefined: the creator. */
  readonly projectId: string | undefined;
  /** Its id; undefined: a new one. */
  readonly id?: string | undefined;
}

export interface TableUseCases {
  /** Newest first. @throws InvalidRequest for a limit above 100, an unknown cursor, or an invalid project id */
  readonly listTables: (
    page: OwnedPageParams,
  ) => Promise<{ readonly tables: readonly DataTable[]; readonly nextCursor: string }>;
  /** By id, or by name if the id is empty. @throws DataTableNotFound */
  readonly getTable: (id: string, name: string) => Promise<DataTable>;
  /** @throws InvalidRequest, Forbidden, ProjectNotFound, DataTableNameTaken, TooManyDataTables */
  readonly createTable: (actor: Actor, table: NewTable) => Promise<DataTable>;
  /**
   * @param isShared undefined: unchanged
   * @throws InvalidRequest, DataTableNotFound, NotYourDataTable, DataTableNameTaken, ChangedSinceRead
   */
  readonly renameTable: (
    actor: Actor,
    id: string,
    change: { readonly name: string; readonly isShared: boolean | undefined },
    condition?: EtagCondition,
  ) => Promise<DataTable>;
  /**
   * Deletes it with all rows.
   * @throws DataTableNotFound, also if it is already deleted; NotYourDataTable, ChangedSinceRead
   */
  readonly deleteTable: (actor: Actor, id: string, condition?: EtagCondition) => Promise<void>;
}

const MAX_TABLES = 200;
const MAX_NAME_LENGTH = 128;
const MAX_COLUMNS = 50;
const COLUMN_NAME = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;

const readTableName = (name: string): string => {
  const trimmed = name.trim();
  if (trimmed !== '' && trimmed.length <= MAX_NAME_LENGTH) return trimmed;
  throw new InvalidRequest('The name of the data table is not valid.', [
    { field: 'name', message: `Use 1 to ${MAX_NAME_LENGTH} characters.` },
  ]);
};

const columnNameError = (name: string, others: ReadonlySet<string>): string | undefined => {
  if (!COLUMN_NAME.test(name))
    return 'Start with a letter, then use letters, digits and underscores; at most 63 characters.';
  if (Object.hasOwn(SYSTEM_COLUMNS, name)) return `${name} is reserved: every row has it.`;
  return others.has(name.toLowerCase()) ? 'Another column has this name.' : undefined;
};

const readColumns = (columns: readonly ColumnInput[]): Column[] => {
  const errors: FieldError[] = [];
  if (columns.length > MAX_COLUMNS) errors.push({ field: 'columns', message: `Use at most ${MAX_COLUMNS} columns.` });
  const seen = new Set<string>();
  const read = columns.slice(0, MAX_COLUMNS).flatMap(({ name, type }, index): Column[] => {
    const field = `columns[${index}]`;
    const known = COLUMN_TYPES.find((one) => one === type);
    const nameError = columnNameError(name, seen);
    if (nameError !== undefined) errors.push({ field: `${field}.name`, message: nameError });
    if (known === undefined) errors.push({ field: `${field}.type`, message: `Use one of ${COLUMN_TYPES.join(', ')}.` });
    seen.add(name.toLowerCase());
    return known === undefined ? [] : [{ name, type: known }];
  });
  if (errors.length > 0) throw new InvalidRequest('The columns are not valid.', errors.slice(0, 50));
  return read;
};

/** A table by its id. @throws DataTableNotFound */
export const loadTable = async (tables: Pick<ScopedTables, 'find'>, id: string): Promise<DataTable> => {
  const table = isUuid(id) ? await tables.find(id) : undefined;
  if (table === undefined) throw new DataTableNotFound(id);
  return table;
};

/** @throws DataTableNotFound, NotYourDataTable */
const loadOwned = async (tables: ScopedTables, actor: Actor, id: string): Promise<DataTable> => {
  const table = await loadTable(tables, id);
  if (!mayManage(actor, table)) throw new NotYourDataTable(id);
  return table;
};

/** The entity tag of a table, without its quotes. Its rows do not count. */
export const tableEtag = ({ id, name, isShared, ownerId, updatedAt }: DataTable): string =>
  etagOfParts(id, name, isShared, ownerId, updatedAt.getTime());

const changed = (dataTableId: string): ChangedSinceRead => new ChangedSinceRead('data table', { dataTableId });

/** @throws ChangedSinceRead */
const checkCondition = (seen: DataTable, condition: EtagCondition): void => {
  if (!holdsFor(condition, tableEtag(seen))) throw changed(seen.id);
};

/** Why a write found nothing to change. */
const goneOrChanged = async (tables: ScopedTables, id: string): Promise<Error> =>
  (await tables.find(id)) === undefined ? new DataTableNotFound(id) : changed(id);

/** Dependencies of the use cases other than their store. */
export interface TableDeps {
  readonly rows: Pick<RowStore, 'removeAll'>;
  readonly chooseOwner: ChooseOwner;
}

export const tableUseCases = (tables: ScopedTables, { rows, chooseOwner }: TableDeps): TableUseCases => ({
  listTables: async (page) => {
    const source = ownedBy(page.projectId, { read: tables.page, idOf: ({ id }: DataTable) => id });
    const { items, nextCursor } = await readPage(source, page);
    return { tables: items, nextCursor };
  },
  getTable: async (id, name) => {
    const table = id === '' ? await tables.findByName(name.trim()) : await loadTable(tables, id);
    if (table === undefined) throw new DataTableNotFound(name);
    return table;
  },
  createTable: async (actor, { name, columns, isShared, projectId, id = uuidv7() }) => {
    const read = { name: readTableName(name), columns: readColumns(columns) };
    const ownerId = await chooseTableOwner(chooseOwner, actor, projectId);
    const bound = await boundReached(tables.count, MAX_TABLES, ownerId);
    if (bound !== undefined) throw new TooManyDataTables(bound);
    const now = new Date();
    const table: DataTable = { id, ...read, ownerId, isShared, createdAt: now, updatedAt: now };
    if ((await tables.insert(table)) === 'name-taken') throw new DataTableNameTaken(table.name);
    return table;
  },
  renameTable: async (actor, id, { name, isShared }, condition) => {
    const table = await loadOwned(tables, actor, id);
    checkCondition(table, condition);
    const next: DataTable = {
      ...table,
      name: readTableName(name),
      isShared: isShared ?? table.isShared,
      updatedAt: new Date(),
    };
    const outcome = await tables.update(next, isConditional(condition) ? table : undefined);
    if (outcome === 'name-taken') throw new DataTableNameTaken(next.name);
    if (outcome === 'gone') throw await goneOrChanged(tables, id);
    return next;
  },
  deleteTable: async (actor, id, condition) => {
    const table = await loadOwned(tables, actor, id);
    checkCondition(table, condition);
    const isRemoved = await tables.remove(id, isConditional(condition) ? table : undefined);
    if (!isRemoved && (await tables.find(id)) !== undefined) throw changed(id);
    await rows.removeAll(id);
    if (!isRemoved) throw new DataTableNotFound(id);
  },
});
