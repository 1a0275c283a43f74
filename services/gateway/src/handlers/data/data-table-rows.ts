import type { RowFilter } from '@weft/proto/data-tables';
import type { Json } from '@weft/service-kit/json';
import type { IncomingHttpHeaders } from 'node:http';
import { DataTableRowNotFound } from '../../errors';
import { readIdempotencyKey } from '../../http/idempotency-key';
import { renamingFields } from '../../http/rename-fields';
import { anyObject, describedBy, flag, integer, list, object, readBody, type Shape, text } from '../../http/shape';
import { dataAnswer, DELETED } from '../../middleware/responses/write-answer';
import { component } from '../../openapi/schema';
import type { ApiHandler } from '../api-handler';
import { rowText } from './data-tables';
import { nextCursorText } from '../list-answer';

/** Conditions as in `RowCondition` of the gRPC contract. */
const CONDITIONS = [
  'eq',
  'neq',
  'like',
  'ilike',
  'gt',
  'gte',
  'lt',
  'lte',
  'isEmpty',
  'isNotEmpty',
  'isTrue',
  'isFalse',
];

/** A value to compare with; its type depends on the column, so the workflows service checks it. */
const VALUE: Shape<Json> = {
  schema: {
    type: ['string', 'number', 'boolean', 'null'],
    description: 'To compare with, of the type of the column. Not for isEmpty, isNotEmpty, isTrue and isFalse.',
  },
  read: (value, at, errors) => {
    if (typeof value !== 'object' || value === null) return value;
    errors.push({ field: at, message: 'must be a string, a number, a boolean or null' });
    return undefined;
  },
};

const CONDITION_FIELDS = object(
  {
    column: text({ description: 'A column, or id, createdAt or updatedAt.' }),
    condition: text({ enum: CONDITIONS, description: 'In like and ilike, % matches any characters.' }),
    value: VALUE,
  },
  { required: ['column', 'condition'] },
);

const CONDITION = describedBy(component('RowCondition', CONDITION_FIELDS.schema), CONDITION_FIELDS);

const FILTER_FIELDS = object({
  matchAll: flag({ description: 'True: all conditions must hold. Otherwise any of them.', default: false }),
  conditions: list(CONDITION, { maxItems: 20 }),
});

const FILTER = describedBy(component('RowFilter', FILTER_FIELDS.schema), FILTER_FIELDS);

const VALUES = anyObject({ description: 'Values by column.' });

/** Maximum number of rows of a page, as over gRPC. */
const MAX_PAGE = 1_000;

/** Body of a query. Without conditions every row matches. */
export const ROW_QUERY_BODY = object({
  filter: FILTER,
  orderBy: text({ description: 'A column, or id, createdAt or updatedAt; id if it is missing.' }),
  descending: flag({ default: false }),
  limit: integer(1, MAX_PAGE, { description: 'Number of rows of a page.', default: 20 }),
  cursor: text({ description: 'The `nextCursor` of the previous page.' }),
});

/** Body of a change of the matching rows. */
export const ROW_CHANGE_BODY = object({ filter: FILTER, values: VALUES }, { required: ['filter', 'values'] });

/** Body of a deletion of the matching rows. */
export const ROW_DELETION_BODY = object({ filter: FILTER }, { required: ['filter'] });

const toFilter = (body: ReturnType<typeof FILTER.readFields> | undefined): RowFilter | undefined =>
  body === undefined
    ? undefined
    : {
        matchAll: body.matchAll ?? false,
        conditions: (body.conditions ?? []).map((one) => ({
          column: one?.column ?? '',
          condition: one?.condition ?? '',
          valueJson: one?.value === undefined ? '' : JSON.stringify(one.value),
        })),
      };

/** The name in the body for the name of a field of the gRPC message. */
const inRowsBody = (field: string): string => field.replace(/^valuesJson\b/, 'values');

/** POST /data-tables/:id/rows/query: a page of the rows that match, in the requested order. */
export const queryRows: ApiHandler = async ({ id, body, principal }, { dataTables }) => {
  const { filter, orderBy = '', descending = false, limit = 20, cursor = '' } = readBody(ROW_QUERY_BODY, body);
  const params = { dataTableId: id, filter: toFilter(filter), orderBy, descending, limit, cursor, claim: undefined };
  const { rows, nextCursor } = await dataTables.calls.queryRows(params, { principal });
  return {
    status: 200,
    json: `{"data":[${rows.map(rowText).join(',')}],"nextCursor":${nextCursorText(nextCursor)}}`,
  };
};

const readChange = (body: Json | undefined, headers: IncomingHttpHeaders) => {
  const { filter, values = {} } = readBody(ROW_CHANGE_BODY, body);
  return {
    filter: toFilter(filter),
    valuesJson: JSON.stringify(values),
    operationId: readIdempotencyKey(headers),
    claim: undefined,
  };
};

/** POST /data-tables/:id/rows/update: changes the rows that match, and returns them. */
export const updateRows: ApiHandler = async ({ id, body, headers, principal }, { dataTables }) => {
  const change = { dataTableId: id, ...readChange(body, headers) };
  const { rows } = await renamingFields(inRowsBody, () => dataTables.calls.updateRows(change, { principal }));
  return dataAnswer(`[${rows.map(rowText).join(',')}]`);
};

/** POST /data-tables/:id/rows/upsert: changes the rows that match or, if there are none, adds one; returns them. */
export const upsertRow: ApiHandler = async ({ id, body, headers, principal }, { dataTables }) => {
  const change = { dataTableId: id, ...readChange(body, headers) };
  const { rows } = await renamingFields(inRowsBody, () => dataTables.calls.upsertRow(change, { principal }));
  return dataAnswer(`[${rows.map(rowText).join(',')}]`);
};

/** POST /data-tables/:id/rows/delete: deletes the rows that match, and returns them as they were. */
export const deleteRows: ApiHandler = async ({ id, body, headers, principal }, { dataTables }) => {
  const { filter } = readBody(ROW_DELETION_BODY, body);
  const params = {
    dataTableId: id,
    filter: toFilter(filter),
    operationId: readIdempotencyKey(headers),
    claim: undefined,
  };
  const { rows } = await dataTables.calls.deleteRows(params, { principal });
  return dataAnswer(`[${rows.map(rowText).join(',')}]`);
};

/** Body of a change of one row. */
export const ROW_BODY = object({ values: VALUES }, { required: ['values'] });

const MAX_ROW_ID = 4_294_967_295;

/** The row that an address names. @throws DataTableRowNotFound */
const rowIdOf = (tableId: string, ref: string): number => {
  const rowId = /^[1-9]\d{0,9}$/.test(ref) ? Number(ref) : 0;
  if (rowId === 0 || rowId > MAX_ROW_ID) throw new DataTableRowNotFound(tableId, ref);
  return rowId;
};

const onlyRow = (rowId: number): RowFilter => ({
  matchAll: true,
  conditions: [{ column: 'id', condition: 'eq', valueJson: String(rowId) }],
});

/** PUT /data-tables/:id/rows/:rowId, an addition: changes one row, and returns it. */
export const updateRow: ApiHandler = async ({ id, ref, body, principal }, { dataTables }) => {
  const filter = onlyRow(rowIdOf(id, ref));
  const { values = {} } = readBody(ROW_BODY, body);
  const change = { dataTableId: id, filter, valuesJson: JSON.stringify(values), operationId: '', claim: undefined };
  const { rows } = await renamingFields(inRowsBody, () => dataTables.calls.updateRows(change, { principal }));
  const [row] = rows;
  if (row === undefined) throw new DataTableRowNotFound(id, ref);
  return dataAnswer(rowText(row));
};

/** DELETE /data-tables/:id/rows/:rowId, an addition: deletes one row. Repeating it is 404. */
export const deleteRow: ApiHandler = async ({ id, ref, principal }, { dataTables }) => {
  const params = { dataTableId: id, filter: onlyRow(rowIdOf(id, ref)), operationId: '', claim: undefined };
  const { rows } = await dataTables.calls.deleteRows(params, { principal });
  if (rows.length === 0) throw new DataTableRowNotFound(id, ref);
  return DELETED;
};
