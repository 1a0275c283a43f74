import { IF_MATCH } from '../../http/entity-tags';
import { CREATION_KEY, CREATION_KEY_REASONS } from '../../http/idempotency-key';
import { OPTIONAL_PAGE } from '../../http/read-query';
import { createsTagged, lists, succeeds, tagged } from '../../openapi/route-doc';
import type { Route } from '../api-handler';
import { OF_PROJECT } from '../owned';
import {
  createDataTable,
  DATA_TABLE,
  DATA_TABLE_BODY,
  deleteDataTable,
  getDataTable,
  listDataTables,
  NEW_DATA_TABLE_BODY,
  renameDataTable,
} from '../data/data-tables';
import { DATA_TABLE_ROW_ROUTES } from './data-table-rows';

/** Data tables and their rows. */
export const DATA_TABLE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/data-tables',
    query: [...OPTIONAL_PAGE, OF_PROJECT],
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
      answers: tagged(DATA_TABLE),
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
      headers: [CREATION_KEY],
      answers: createsTagged(DATA_TABLE),
      reasons: [...CREATION_KEY_REASONS, 'DATA_TABLE_NAME_TAKEN', 'TOO_MANY_DATA_TABLES', 'PROJECT_NOT_FOUND'],
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
      headers: [IF_MATCH],
      answers: tagged(DATA_TABLE),
      reasons: ['VERSION_CONFLICT', 'DATA_TABLE_NOT_FOUND', 'DATA_TABLE_NAME_TAKEN'],
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
      headers: [IF_MATCH],
      answers: succeeds,
      reasons: ['VERSION_CONFLICT', 'DATA_TABLE_NOT_FOUND'],
    },
  },
  ...DATA_TABLE_ROW_ROUTES,
];
