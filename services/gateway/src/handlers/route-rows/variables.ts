import { IF_MATCH } from '../../http/entity-tags';
import { CREATION_KEY, CREATION_KEY_REASONS } from '../../http/idempotency-key';
import { OPTIONAL_PAGE } from '../../http/read-query';
import { createsTagged, lists, succeeds, tagged } from '../../openapi/route-doc';
import type { Route } from '../api-handler';
import { OF_PROJECT } from '../owned';
import {
  createVariable,
  deleteVariable,
  getVariable,
  listVariables,
  NEW_VARIABLE_BODY,
  replaceVariable,
  VARIABLE,
  VARIABLE_BODY,
} from '../data/variables';

/** Variables. */
export const VARIABLE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/variables',
    query: [...OPTIONAL_PAGE, OF_PROJECT],
    body: 'none',
    handler: listVariables,
    doc: { tag: 'Variables', summary: 'List variables', description: 'Newest first.', answers: lists(VARIABLE) },
  },
  {
    method: 'POST',
    path: '/variables',
    query: [],
    body: 'required',
    request: NEW_VARIABLE_BODY,
    handler: createVariable,
    doc: {
      tag: 'Variables',
      summary: 'Create a variable',
      headers: [CREATION_KEY],
      answers: createsTagged(VARIABLE),
      reasons: [...CREATION_KEY_REASONS, 'VARIABLE_KEY_TAKEN', 'TOO_MANY_VARIABLES', 'PROJECT_NOT_FOUND'],
    },
  },
  {
    method: 'GET',
    path: '/variables/:id',
    query: [],
    body: 'none',
    handler: getVariable,
    doc: { tag: 'Variables', summary: 'Get a variable', answers: tagged(VARIABLE), reasons: ['VARIABLE_NOT_FOUND'] },
  },
  {
    method: 'PUT',
    path: '/variables/:id',
    query: [],
    body: 'required',
    request: VARIABLE_BODY,
    handler: replaceVariable,
    doc: {
      tag: 'Variables',
      summary: 'Replace a variable',
      description: 'Runs that begin later see it.',
      headers: [IF_MATCH],
      answers: tagged(VARIABLE),
      reasons: ['VERSION_CONFLICT', 'VARIABLE_NOT_FOUND', 'VARIABLE_KEY_TAKEN'],
    },
  },
  {
    method: 'DELETE',
    path: '/variables/:id',
    query: [],
    body: 'none',
    handler: deleteVariable,
    doc: {
      tag: 'Variables',
      summary: 'Delete a variable',
      description: 'It is undefined in runs that begin later.',
      headers: [IF_MATCH],
      answers: succeeds,
      reasons: ['VERSION_CONFLICT', 'VARIABLE_NOT_FOUND'],
    },
  },
];
