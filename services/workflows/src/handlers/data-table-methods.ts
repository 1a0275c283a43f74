import type {
  DataTable as DataTableMessage,
  DataTableRow,
  DataTableServiceService,
  RowFilter,
} from '@weft/proto/data-tables';
import type { CallContext, Handlers } from '@weft/service-kit/grpc';
import type { Actor, FindActor } from '../domain/data-tables/actor';
import type { DataTable } from '../domain/data-tables/data-table';
import type { FilterInput } from '../domain/data-tables/read-filter';
import { rowText } from '../domain/data-tables/row-text';
import type { TableRows } from '../domain/data-tables/write-rows';
import type { Claim } from '../domain/claims';

/** The methods of DataTableService, each with its messages. */
export type DataTableMethods = Handlers<typeof DataTableServiceService>;

/** Who acts by a call. */
export const actorOf = (find: FindActor, { principal }: CallContext, claim: Claim | undefined): Promise<Actor> =>
  find(principal, claim);

/** A table as a message. */
export const tableMessage = ({ columns, ...table }: DataTable): DataTableMessage => ({
  ...table,
  columns: columns.map((column) => ({ ...column })),
});

/** Rows as messages. */
export const rowMessages = ({ table, rows }: TableRows): DataTableRow[] =>
  rows.map((row) => ({
    id: row.id,
    valuesJson: rowText(table.columns, row),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }));

/** A filter as the domain reads it. */
export const filterInput = (filter: RowFilter | undefined): FilterInput | undefined => filter;
