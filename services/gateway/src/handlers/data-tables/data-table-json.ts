import type { DataTable, DataTableRow } from '@weft/proto/data-tables';
import { InternalError } from '@weft/service-kit/errors';
import { furtherMembers, quote, timeText } from '../../http/json-text';

/** A table as the REST API shows it: without its rows. */
export const dataTableText = (table: DataTable | undefined): string => {
  if (table === undefined) throw new InternalError(new Error('The workflows service answered without the data table.'));
  const { id, name, columns, createdAt, updatedAt } = table;
  const shown = columns.map((column) => `{"name":${quote(column.name)},"type":${quote(column.type)}}`);
  return `{"id":${quote(id)},"name":${quote(name)},"columns":[${shown.join(',')}],"createdAt":${timeText(createdAt)},"updatedAt":${timeText(updatedAt)}}`;
};

/** A row as the REST API shows it: its id and times, and a value for each column. */
export const rowText = ({ id, createdAt, updatedAt, valuesJson }: DataTableRow): string =>
  `{"id":${id},"createdAt":${timeText(createdAt)},"updatedAt":${timeText(updatedAt)}${furtherMembers(valuesJson)}}`;
