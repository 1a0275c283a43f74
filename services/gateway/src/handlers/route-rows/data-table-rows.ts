import { CREATION_KEY, CREATION_KEY_REASONS } from '../../http/idempotency-key';
import { OPTIONAL_PAGE } from '../../http/read-query';
import { answers, lists, pages, succeeds } from '../../openapi/route-doc';
import { dataBody, listOf } from '../../openapi/schema';
import type { Route } from '../api-handler';
import {
  deleteRow,
  deleteRows,
  queryRows,
  ROW_BODY,
  ROW_CHANGE_BODY,
  ROW_DELETION_BODY,
  ROW_QUERY_BODY,
  updateRow,
  updateRows,
  upsertRow,
} from '../data/data-table-rows';
import { DATA_TABLE_ROW, insertRows, listRows, ROWS_BODY } from '../data/data-tables';

const ROWS = listOf(DATA_TABLE_ROW);

const OF_CITY = { conditions: [{ column: 'city', condition: 'eq', value: 'Riga' }] };

/** Rows of data tables. */
export const DATA_TABLE_ROW_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/data-tables/:id/rows',
    query: OPTIONAL_PAGE,
    body: 'none',
    handler: listRows,
    doc: {
      tag: 'Data tables',
      summary: 'List the rows of a data table',
      description: 'In the order in which they were added.',
      answers: lists(DATA_TABLE_ROW),
      reasons: ['DATA_TABLE_NOT_FOUND'],
    },
  },
  {
    method: 'POST',
    path: '/data-tables/:id/rows',
    query: [],
    body: 'required',
    request: ROWS_BODY,
    handler: insertRows,
    doc: {
      example: { rows: [{ city: 'Riga', orders: 3 }] },
      tag: 'Data tables',
      summary: 'Add rows to a data table',
      description: 'All of them or none.',
      headers: [CREATION_KEY],
      answers: { 201: { description: 'The rows.', body: dataBody(ROWS) } },
      reasons: [...CREATION_KEY_REASONS, 'DATA_TABLE_NOT_FOUND', 'DATA_TABLE_FULL'],
    },
  },
  {
    method: 'POST',
    path: '/data-tables/:id/rows/query',
    query: [],
    body: 'required',
    request: ROW_QUERY_BODY,
    handler: queryRows,
    doc: {
      example: { filter: OF_CITY, orderBy: 'orders', descending: true, limit: 20 },
      tag: 'Data tables',
      summary: 'Query rows of a data table',
      description: 'A page of the rows that match the filter. A page may be shorter than `limit`.',
      answers: pages(DATA_TABLE_ROW),
      reasons: ['DATA_TABLE_NOT_FOUND'],
    },
  },
  {
    method: 'POST',
    path: '/data-tables/:id/rows/update',
    query: [],
    body: 'required',
    request: ROW_CHANGE_BODY,
    handler: updateRows,
    doc: {
      example: { filter: OF_CITY, values: { orders: 4 } },
      tag: 'Data tables',
      summary: 'Update rows of a data table',
      description:
        'Changes the rows that match, at most 5,000; the filter needs a condition. Omitted columns are unchanged.',
      headers: [CREATION_KEY],
      answers: answers(ROWS, 'The changed rows.'),
      reasons: [...CREATION_KEY_REASONS, 'DATA_TABLE_NOT_FOUND', 'PAYLOAD_TOO_LARGE'],
    },
  },
  {
    method: 'POST',
    path: '/data-tables/:id/rows/upsert',
    query: [],
    body: 'required',
    request: ROW_CHANGE_BODY,
    handler: upsertRow,
    doc: {
      example: { filter: OF_CITY, values: { city: 'Riga', orders: 4 } },
      tag: 'Data tables',
      summary: 'Update rows of a data table, or add one',
      description: 'Adds a row with the values if none matches.',
      headers: [CREATION_KEY],
      answers: answers(ROWS, 'The changed rows, or the added one.'),
      reasons: [...CREATION_KEY_REASONS, 'DATA_TABLE_NOT_FOUND', 'DATA_TABLE_FULL', 'PAYLOAD_TOO_LARGE'],
    },
  },
  {
    method: 'POST',
    path: '/data-tables/:id/rows/delete',
    query: [],
    body: 'required',
    request: ROW_DELETION_BODY,
    handler: deleteRows,
    doc: {
      example: { filter: OF_CITY },
      tag: 'Data tables',
      summary: 'Delete rows of a data table',
      description: 'Deletes the rows that match, at most 5,000; the filter needs a condition.',
      headers: [CREATION_KEY],
      answers: answers(ROWS, 'The deleted rows.'),
      reasons: [...CREATION_KEY_REASONS, 'DATA_TABLE_NOT_FOUND', 'PAYLOAD_TOO_LARGE'],
    },
  },
  {
    method: 'PUT',
    path: '/data-tables/:id/rows/:rowId',
    query: [],
    body: 'required',
    request: ROW_BODY,
    handler: updateRow,
    doc: {
      example: { values: { orders: 4 } },
      tag: 'Data tables',
      summary: 'Update a row of a data table',
      description: 'Omitted columns are unchanged.',
      answers: answers(DATA_TABLE_ROW, 'The changed row.'),
      reasons: ['DATA_TABLE_NOT_FOUND', 'DATA_TABLE_ROW_NOT_FOUND', 'PAYLOAD_TOO_LARGE'],
    },
  },
  {
    method: 'DELETE',
    path: '/data-tables/:id/rows/:rowId',
    query: [],
    body: 'none',
    handler: deleteRow,
    doc: {
      tag: 'Data tables',
      summary: 'Delete a row of a data table',
      answers: succeeds,
      reasons: ['DATA_TABLE_NOT_FOUND', 'DATA_TABLE_ROW_NOT_FOUND'],
    },
  },
];
