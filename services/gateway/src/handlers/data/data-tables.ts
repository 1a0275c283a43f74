import type { CreateDataTableRequest, DataTable, DataTableRow } from '@weft/proto/data-tables';
import { InternalError } from '@weft/service-kit/errors';
import type { Json } from '@weft/service-kit/json';
import { ifMatch, taggedBy } from '../../http/entity-tags';
import { creationKey, readIdempotencyKey } from '../../http/idempotency-key';
import { renamingFields } from '../../http/rename-fields';
import { furtherMembers, quote, timeText } from '../../http/json-text';
import { anyObject, flag, list, object, readBody, text } from '../../http/shape';
import { dataAnswer, DELETED, taggedAnswer } from '../../middleware/responses/write-answer';
import { BOOLEAN, component, exemplified, ID, listOf, record, type Schema, TEXT, TIME } from '../../openapi/schema';
import type { ApiHandler } from '../api-handler';
import { listAnswer } from '../list-answer';
import { OWNER_ID, PROJECT_ID, readOwner } from '../owned';

/** Schema of `dataTableText`. */
export const DATA_TABLE = component(
  'DataTable',
  record({
    id: ID,
    name: TEXT,
    columns: listOf(
      component('DataTableColumn', record({ name: exemplified('city', TEXT), type: exemplified('string', TEXT) })),
    ),
    shared: BOOLEAN,
    ownerId: OWNER_ID,
    createdAt: TIME,
    updatedAt: TIME,
  }),
);

/** A table as shown by the REST API, without its rows. */
export const dataTableText = (table: DataTable | undefined): string => {
  if (table === undefined) throw new InternalError(new Error('The workflows service answered without the data table.'));
  const { id, name, columns, shared, ownerId, createdAt, updatedAt } = table;
  const shown = columns.map((column) => `{"name":${quote(column.name)},"type":${quote(column.type)}}`);
  return (
    `{"id":${quote(id)},"name":${quote(name)},"columns":[${shown.join(',')}],"shared":${shared},` +
    `"ownerId":${quote(ownerId)},"createdAt":${timeText(createdAt)},"updatedAt":${timeText(updatedAt)}}`
  );
};

/** Schema of `rowText`. */
export const DATA_TABLE_ROW: Schema = component('DataTableRow', {
  example: {
    id: 1,
    createdAt: '2026-03-01T12:00:00.000Z',
    updatedAt: '2026-03-01T12:00:00.000Z',
    city: 'Riga',
    orders: 3,
  },
  ...record({ id: { type: 'integer' }, createdAt: TIME, updatedAt: TIME }),
  // Go client generators cannot handle a union here.
  additionalProperties: true,
  description: 'In addition, a value for each column: a string, a number, a boolean or null.',
});

/** A row as shown by the REST API: its id and times, and a value for each column. */
export const rowText = ({ id, createdAt, updatedAt, valuesJson }: DataTableRow): string =>
  `{"id":${id},"createdAt":${timeText(createdAt)},"updatedAt":${timeText(updatedAt)}${furtherMembers(valuesJson)}}`;

const SHOWN = ['id', 'ownerId', 'createdAt', 'updatedAt'];

const NAME = text({ minLength: 1, maxLength: 128 });

const SHARED = flag({ description: 'Editors and workflows of other users may write its rows.' });

const COLUMN = object(
  {
    name: text({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,62}$' }),
    type: text({ enum: ['string', 'number', 'boolean', 'date'] }),
  },
  { required: ['name', 'type'], ignored: ['id', 'index'] },
);

/** Body of a new table. A response of GET can be sent back. */
export const NEW_DATA_TABLE_BODY = object(
  { name: NAME, columns: list(COLUMN, { maxItems: 50 }), shared: SHARED, projectId: PROJECT_ID },
  { required: ['name', 'columns'], ignored: SHOWN },
);

/** Body of an update. Columns cannot be changed, so they are ignored. */
export const DATA_TABLE_BODY = object(
  { name: NAME, shared: SHARED },
  { required: ['name'], ignored: ['columns', ...SHOWN] },
);

/** Body with rows to add. */
export const ROWS_BODY = object(
  { rows: list(anyObject({}, 'an object with a value for each column'), { maxItems: 1_000 }) },
  { required: ['rows'] },
);

const readNewTable = (
  body: Json | undefined,
): Pick<CreateDataTableRequest, 'name' | 'columns' | 'shared' | 'projectId'> => {
  const { name = '', columns = [], shared = false, projectId } = readBody(NEW_DATA_TABLE_BODY, body);
  return {
    name,
    columns: columns.map((column) => ({ name: column?.name ?? '', type: column?.type ?? '' })),
    shared,
    projectId,
  };
};

const readTableChange = (body: Json | undefined): { readonly name: string; readonly shared?: boolean } => {
  const { name = '', shared } = readBody(DATA_TABLE_BODY, body);
  return { name, ...(shared === undefined ? {} : { shared }) };
};

const readRows = (body: Json | undefined): string[] =>
  (readBody(ROWS_BODY, body).rows ?? []).map((row) => JSON.stringify(row));

/**
 * GET /data-tables: all tables without their rows, newest first; with `limit` or `cursor` one page. With `projectId`
 * those of a project or user.
 */
export const listDataTables: ApiHandler = (request, { dataTables }) => {
  const owner = readOwner(request.query);
  return listAnswer(request, async (page) => {
    const { dataTables: found, nextCursor } = await dataTables.calls.listDataTables(
      { ...page, ...owner, claim: undefined },
      { principal: request.principal },
    );
    return { entries: found.map(dataTableText), nextCursor };
  });
};

/** GET /data-tables/:id: a table without its rows. */
export const getDataTable: ApiHandler = async ({ id, principal }, { dataTables }) => {
  const { dataTable } = await dataTables.calls.getDataTable(
    { dataTableId: id, name: '', claim: undefined },
    { principal },
  );
  return taggedAnswer(dataTableText(dataTable), dataTable?.etag);
};

/** POST /data-tables: creates an empty table, in a project if `projectId` is set. 201 with the table. */
export const createDataTable: ApiHandler = async ({ body, headers, principal }, { dataTables }) => {
  const { dataTable } = await dataTables.calls.createDataTable(
    { ...readNewTable(body), claim: undefined, ...creationKey(headers) },
    { principal },
  );
  return dataAnswer(dataTableText(dataTable), {
    status: 201,
    headers: { location: `/api/v1/data-tables/${dataTable?.id ?? ''}`, ...taggedBy(dataTable?.etag) },
  });
};

/**
 * PUT /data-tables/:id: renames a table, and changes whether it is shared. Nodes that refer to it by its id still find
 * it.
 */
export const renameDataTable: ApiHandler = async ({ id, body, headers, principal }, { dataTables }) => {
  const { dataTable } = await dataTables.calls.renameDataTable(
    { dataTableId: id, ...readTableChange(body), claim: undefined, ...ifMatch(headers) },
    { principal },
  );
  return taggedAnswer(dataTableText(dataTable), dataTable?.etag);
};

/** DELETE /data-tables/:id: deletes a table and its rows. */
export const deleteDataTable: ApiHandler = async ({ id, headers, principal }, { dataTables }) => {
  await dataTables.calls.deleteDataTable({ dataTableId: id, claim: undefined, ...ifMatch(headers) }, { principal });
  return DELETED;
};

/** GET /data-tables/:id/rows: all rows in the order in which they were added; with `limit` or `cursor` one page. */
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

/** POST /data-tables/:id/rows: adds rows, all or none. 201 with the rows. */
export const insertRows: ApiHandler = async ({ id, body, headers, principal }, { dataTables }) => {
  const added = {
    dataTableId: id,
    valuesJson: readRows(body),
    operationId: readIdempotencyKey(headers),
    claim: undefined,
  };
  const { rows } = await renamingFields(
    (field) => field.replace(/^valuesJson\b/, 'rows'),
    () => dataTables.calls.insertRows(added, { principal }),
  );
  return dataAnswer(`[${rows.map(rowText).join(',')}]`, { status: 201 });
};
