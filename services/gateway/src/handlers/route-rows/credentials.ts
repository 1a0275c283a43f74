import { PAGE } from '../../http/read-query';
import { answers, creates, lists, succeeds } from '../../openapi/route-doc';
import type { Route } from '../api-handler';
import {
  createCredential,
  CREDENTIAL,
  CREDENTIAL_BODY,
  deleteCredential,
  getCredential,
  listCredentials,
  NEW_CREDENTIAL_BODY,
  updateCredential,
} from '../credentials';

/** Credentials. */
export const CREDENTIAL_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/credentials',
    query: PAGE,
    body: 'none',
    handler: listCredentials,
    doc: {
      tag: 'Credentials',
      summary: 'List credentials',
      description: 'Newest first, without their data.',
      answers: lists(CREDENTIAL),
    },
  },
  {
    method: 'GET',
    path: '/credentials/:id',
    query: [],
    body: 'none',
    handler: getCredential,
    doc: {
      tag: 'Credentials',
      summary: 'Get a credential',
      description: 'Without its data.',
      answers: answers(CREDENTIAL),
      reasons: ['CREDENTIAL_NOT_FOUND'],
    },
  },
  {
    method: 'POST',
    path: '/credentials',
    query: [],
    body: 'required',
    request: NEW_CREDENTIAL_BODY,
    handler: createCredential,
    doc: { tag: 'Credentials', summary: 'Create a credential', answers: creates(CREDENTIAL) },
  },
  {
    method: 'PUT',
    path: '/credentials/:id',
    query: [],
    body: 'required',
    request: CREDENTIAL_BODY,
    handler: updateCredential,
    doc: {
      tag: 'Credentials',
      summary: 'Change a credential',
      description: 'Fields that are missing stay as they are, the data too.',
      answers: answers(CREDENTIAL),
      reasons: ['CREDENTIAL_NOT_FOUND', 'CREDENTIAL_BUSY', 'CREDENTIAL_UNREADABLE'],
    },
  },
  {
    method: 'DELETE',
    path: '/credentials/:id',
    query: [],
    body: 'none',
    handler: deleteCredential,
    doc: {
      tag: 'Credentials',
      summary: 'Delete a credential',
      description: 'Nodes that refer to it fail from then on.',
      answers: succeeds,
      reasons: ['CREDENTIAL_NOT_FOUND'],
    },
  },
];
