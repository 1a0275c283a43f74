import { InvalidRequest } from '@weft/service-kit/errors';
import type { ScopedTables } from '../scoped-stores';
import type { DataTable, Row, RowStore } from './data-table';
import { rowJson, typeOfColumn } from './read-cells';
import { readFilter, type FilterInput } from './read-filter';
import { loadTable } from './tables';

/** Parameters of a query. */
export interface RowsQuery {
  readonly filter: FilterInput | undefined;
  /** Empty: by id. */
  readonly orderBy: string;
  readonly descending: boolean;
  /** 0: 20. */
  readonly limit: number;
  /** Empty: first page. */
  readonly cursor: string;
}

export interface RowPage {
  readonly table: DataTable;
  readonly rows: readonly Row[];
  /** Empty on the last page. */
  readonly nextCursor: string;
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1_000;
const MAX_SKIP = 1_000_000;
/** Well below the maximum message size. */
const MAX_PAGE_BYTES = 3 * 1024 * 1024;

interface Place {
  readonly afterId: number | undefined;
  readonly skip: number;
}

const readCursor = (cursor: string): Place => {
  const match = /^(after|skip):(\d{1,12})$/.exec(cursor);
  const number = Number(match?.[2] ?? 0);
  if (cursor !== '' && (match === null || (match[1] === 'skip' && number > MAX_SKIP))) {
    throw new InvalidRequest('The cursor cannot be used.', [
      { field: 'cursor', message: 'Pass nextCursor from the previous response unchanged.' },
    ]);
  }
  return match?.[1] === 'after' ? { afterId: number, skip: 0 } : { afterId: undefined, skip: number };
};

const thatFit = ({ columns }: DataTable, rows: readonly Row[]): readonly Row[] => {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += rowJson(columns, row).length * 2;
    return index > 0 && bytes > MAX_PAGE_BYTES;
  });
  return end < 0 ? rows : rows.slice(0, end);
};

/**
 * Reads matching rows page by page. Ordered by id, pages remain consistent while rows change; in another order a
 * changed row may be missed or returned twice. A page may be shorter than requested.
 * @throws DataTableNotFound, InvalidRequest
 */
export const queryRows = async (
  tables: Pick<ScopedTables, 'find'>,
  rows: Pick<RowStore, 'query'>,
  tableId: string,
  { filter, orderBy, descending, limit, cursor }: RowsQuery,
): Promise<RowPage> => {
  if (limit > MAX_LIMIT)
    throw new InvalidRequest('limit is too large.', [
      { field: 'limit', message: `Use a whole number from 1 to ${MAX_LIMIT}.` },
    ]);
  const table = await loadTable(tables, tableId);
  const column = orderBy === '' ? 'id' : orderBy;
  if (typeOfColumn(table.columns, column) === undefined)
    throw new InvalidRequest(`The table has no column ${column.slice(0, 100)} to order by.`, [
      { field: 'order_by', message: 'Name a column of the table.' },
    ]);
  const size = limit === 0 ? DEFAULT_LIMIT : limit;
  const place = readCursor(cursor);
  const found = await rows.query(tableId, {
    filter: readFilter(table.columns, filter),
    orderBy: column,
    descending,
    ...place,
    limit: size + 1,
  });
  const page = thatFit(table, found.slice(0, size));
  const last = page.at(-1);
  if (last === undefined || page.length === found.length) return { table, rows: page, nextCursor: '' };
  return { table, rows: page, nextCursor: column === 'id' ? `after:${last.id}` : `skip:${place.skip + page.length}` };
};
