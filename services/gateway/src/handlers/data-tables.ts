import type { DataTable, DataTableColumn, DataTableRow } from '@weft/proto/data-tables';
import { type FieldError, InternalError } from '@weft/service-kit/errors';
import { isJsonObject, type Json } from '@weft/service-kit/json';
import { bodyObject, readFields, refuseFieldErrors } from '../http/body-fields';
import { furtherMembers, quote, timeText } from '../http/json-text';
import { dataAnswer, DELETED } from '../middleware/write-answer';
import type { ApiHandler } from './api-handler';
import { listAnswer } from './list-answer';

/** A table as the REST API shows it: without its rows. */
export const dataTableText = (table: DataTable | undefined): string => {
  if (table === undefined) throw new InternalError(new Error('The workflows service answered without the data table.'));
  const { id, name, columns, shared, createdAt, updatedAt } = table;
  const shown = columns.map((column) => `{"name":${quote(column.name)},"type":${quote(column.type)}}`);
  return (
    `{"id":${quote(id)},"name":${quote(name)},"columns":[${shown.join(',')}],"shared":${shared},` +
    `"createdAt":${timeText(createdAt)},"updatedAt":${timeText(updatedAt)}}`
  );
};

/** A row as the REST API shows it: its id and times, and a value for each column. */
export const rowText = ({ id, createdAt, updatedAt, valuesJson }: DataTableRow): string =>
  `{"id":${id},"createdAt":${timeText(createdAt)},"updatedAt":${timeText(updatedAt)}${furtherMembers(valuesJson)}}`;

const SHOWN = ['id', 'createdAt', 'updatedAt'];

/** Reads the body of a new table. The answer of GET can be sent back. @throws InvalidRequest */
export const readDataTableBody = (
  body: Json | undefined,
): { readonly name: string; readonly columns: DataTableColumn[]; readonly shared: boolean } => {
  const errors: FieldError[] = [];
  const fields = readFields(bodyObject(body), errors);
  fields.allowOnly('name', 'columns', 'shared', ...SHOWN);
  fields.require('name', 'columns');
  const columns = (fields.array('columns') ?? []).flatMap((entry, index): DataTableColumn[] => {
    if (!isJsonObject(entry)) {
      fields.error(`columns[${index}]`, 'must be an object');
      return [];
    }
    const column = readFields(entry, errors, `columns[${index}].`);
    column.allowOnly('name', 'type', 'id', 'index');
    column.require('name', 'type');
    return [{ name: column.string('name') ?? '', type: column.string('type') ?? '' }];
  });
  const name = fields.string('name') ?? '';
  const shared = fields.boolean('shared') ?? false;
  refuseFieldErrors(errors);
  return { name, columns, shared };
};

/**
 * Reads the new name of a table, and whether it is shared if the body says so; its columns cannot be changed, so they
 * are ignored.
 * @throws InvalidRequest
 */
export const readDataTableChange = (body: Json | undefined): { readonly name: string; readonly shared?: boolean } => {
  const errors: FieldError[] = [];
  const fields = readFields(bodyObject(body), errors);
  fields.allowOnly('name', 'columns', 'shared', ...SHOWN);
  fields.require('name');
  const name = fields.string('name') ?? '';
  const shared = fields.boolean('shared');
  refuseFieldErrors(errors);
  return { name, ...(shared === undefined ? {} : { shared }) };
};

/** Reads rows to add, each as JSON text. @throws InvalidRequest */
export const readRowsBody = (body: Json | undefined): string[] => {
  const errors: FieldError[] = [];
  const fields = readFields(bodyObject(body), errors);
  fields.allowOnly('rows');
  fields.require('rows');
  const rows = fields.array('rows') ?? [];
  rows.forEach((row, index) => {
    if (!isJsonObject(row)) fields.error(`rows[${index}]`, 'must be an object with a value for each column');
  });
  refuseFieldErrors(errors);
  return rows.map((row) => JSON.stringify(row));
};

/** GET /data-tables: all tables without their rows, newest first; with `limit` or `cursor` a page of them. */
export const listDataTables: ApiHandler = (request, { dataTables }) =>
  listAnswer(request, async (page) => {
    const { dataTables: found, nextCursor } = await dataTables.calls.listDataTables(
      { ...page, claim: undefined },
      { principal: request.principal },
    );
    return { entries: found.map(dataTableText), nextCursor };
  });

/** GET /data-tables/:id: a table without its rows. */
export const getDataTable: ApiHandler = async ({ id, principal }, { dataTables }) => {
  const { dataTable } = await dataTables.calls.getDataTable(
    { dataTableId: id, name: '', claim: undefined },
    { principal },
  );
  return dataAnswer(dataTableText(dataTable));
};

/** POST /data-tables: creates a table without rows. 201 with it. */
export const createDataTable: ApiHandler = async ({ body, principal }, { dataTables }) => {
  const { dataTable } = await dataTables.calls.createDataTable(
    { ...readDataTableBody(body), claim: undefined },
    { principal },
  );
  return dataAnswer(dataTableText(dataTable), {
    status: 201,
    headers: { location: `/api/v1/data-tables/${dataTable?.id ?? ''}` },
  });
};

/**
 * PUT /data-tables/:id: renames a table, and shares it or not; nodes that refer to it by its id still find it.
 */
export const renameDataTable: ApiHandler = async ({ id, body, principal }, { dataTables }) => {
  const { dataTable } = await dataTables.calls.renameDataTable(
    { dataTableId: id, ...readDataTableChange(body), claim: undefined },
    { principal },
  );
  return dataAnswer(dataTableText(dataTable));
};

/** DELETE /data-tables/:id: a table and its rows. */
export const deleteDataTable: ApiHandler = async ({ id, principal }, { dataTables }) => {
  await dataTables.calls.deleteDataTable({ dataTableId: id, claim: undefined }, { principal });
  return DELETED;
};

/**
 * GET /data-tables/:id/rows: all rows, in the order in which they were added; with `limit` or `cursor` a page of them.
 */
export const listRows: ApiHandler = (request, { dataTables }) =>
  listAnswer(request, async (page) => {
    const params = {
      dataTableId: request.id,
      filter: undefined,
      orderBy: '',
      descending: false,
      ...page,
      claim: undefined,
    };
    const { rows, nextCursor } = await dataTables.calls.queryRows(params, { principal: request.principal });
    return { entries: rows.map(rowText), nextCursor };
  });

/** POST /data-tables/:id/rows: adds rows, all or none. 201 with them. */
export const insertRows: ApiHandler = async ({ id, body, principal }, { dataTables }) => {
  const { rows } = await dataTables.calls.insertRows(
    { dataTableId: id, valuesJson: readRowsBody(body), operationId: '', claim: undefined },
    { principal },
  );
  return dataAnswer(`[${rows.map(rowText).join(',')}]`, { status: 201 });
};
