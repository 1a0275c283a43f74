import { PAGE } from '../../http/read-query';
import { answers, creates, lists, succeeds } from '../../openapi/route-doc';
import { dataBody, listOf } from '../../openapi/schema';
import type { Route } from '../api-handler';
import { OF_PROJECT } from '../owned';
import {
  createDataTable,
  DATA_TABLE,
  DATA_TABLE_BODY,
  DATA_TABLE_ROW,
  deleteDataTable,
  getDataTable,
  insertRows,
  listDataTables,
  listRows,
  NEW_DATA_TABLE_BODY,
  renameDataTable,
  ROWS_BODY,
} from '../data-tables';

/** Data tables and their rows. */
export const DATA_TABLE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/data-tables',
    query: [...PAGE, OF_PROJECT],
    body: 'none',
    handler: listDataTables,
    doc: {
      tag: 'Data tables',
      summary: 'List data tables',
      description: 'Newest first, without their rows.',
      answers: lists(DATA_TABLE),
    },
  },
  {
    method: 'GET',
    path: '/data-tables/:id',
    query: [],
    body: 'none',
    handler: getDataTable,
    doc: {
      tag: 'Data tables',
      summary: 'Get a data table',
      description: 'Without its rows.',
      answers: answers(DATA_TABLE),
      reasons: ['DATA_TABLE_NOT_FOUND'],
    },
  },
  {
    method: 'POST',
    path: '/data-tables',
    query: [],
    body: 'required',
    request: NEW_DATA_TABLE_BODY,
    handler: createDataTable,
    doc: {
      tag: 'Data tables',
      summary: 'Create a data table',
      answers: creates(DATA_TABLE),
      reasons: ['DATA_TABLE_NAME_TAKEN', 'TOO_MANY_DATA_TABLES', 'PROJECT_NOT_FOUND'],
    },
  },
  {
    method: 'PUT',
    path: '/data-tables/:id',
    query: [],
    body: 'required',
    request: DATA_TABLE_BODY,
    handler: renameDataTable,
    doc: {
      tag: 'Data tables',
      summary: 'Rename or share a data table',
      description: 'Nodes that refer to it by its id still find it.',
      answers: answers(DATA_TABLE),
      reasons: ['DATA_TABLE_NOT_FOUND', 'DATA_TABLE_NAME_TAKEN'],
    },
  },
  {
    method: 'DELETE',
    path: '/data-tables/:id',
    query: [],
    body: 'none',
    handler: deleteDataTable,
    doc: {
      tag: 'Data tables',
      summary: 'Delete a data table',
      description: 'With its rows.',
      answers: succeeds,
      reasons: ['DATA_TABLE_NOT_FOUND'],
    },
  },
  {
    method: 'GET',
    path: '/data-tables/:id/rows',
    query: PAGE,
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
      tag: 'Data tables',
      summary: 'Add rows to a data table',
      description: 'All of them or none.',
      answers: { 201: { description: 'The rows.', body: dataBody(listOf(DATA_TABLE_ROW)) } },
      reasons: ['DATA_TABLE_NOT_FOUND', 'DATA_TABLE_FULL'],
    },
  },
];
