import { IF_ABSENT, IF_MATCH } from '../../http/entity-tags';
import { answers, createsTagged, succeeds, tagged } from '../../openapi/route-doc';
import { listOf } from '../../openapi/schema';
import type { Route } from '../api-handler';
import { APP, APP_BODY, APP_WITH_DOCUMENT, deleteApp, FORCE_APP, getApp, listApps, putApp } from '../reference/apps';

/** User-defined apps. */
export const APP_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/apps',
    query: [],
    body: 'none',
    handler: listApps,
    doc: {
      tag: 'Apps',
      summary: 'List apps',
      description: 'The apps that users have added, by name. Apps of the release are not among them.',
      answers: answers(listOf(APP)),
    },
  },
  {
    method: 'GET',
    path: '/apps/:id',
    query: [],
    body: 'none',
    handler: getApp,
    doc: {
      tag: 'Apps',
      summary: 'Get an app',
      description: 'With its document.',
      answers: tagged(APP_WITH_DOCUMENT),
      reasons: ['APP_NOT_FOUND'],
    },
  },
  {
    method: 'PUT',
    path: '/apps/:id',
    query: [],
    body: 'required',
    request: APP_BODY,
    handler: putApp,
    doc: {
      tag: 'Apps',
      summary: 'Add an app, or replace it',
      description:
        'Only owners and admins. All problems of the document are reported at once. Active workflows keep the ' +
        'revision that they have until they are saved or activated again.',
      example: {
        weftApp: 1,
        name: 'erp',
        label: 'ERP',
        hosts: ['erp.example.com'],
        credentials: {},
        calls: {},
        kinds: {},
      },
      headers: [IF_MATCH, IF_ABSENT],
      answers: { ...tagged(APP), ...createsTagged(APP) },
      reasons: ['VERSION_CONFLICT', 'APP_KIND_TAKEN', 'TOO_MANY_APPS'],
    },
  },
  {
    method: 'DELETE',
    path: '/apps/:id',
    query: [FORCE_APP],
    body: 'none',
    handler: deleteApp,
    doc: {
      tag: 'Apps',
      summary: 'Delete an app',
      description: 'Only owners and admins. Refused while active workflows use it, unless it is forced.',
      headers: [IF_MATCH],
      answers: succeeds,
      reasons: ['VERSION_CONFLICT', 'APP_NOT_FOUND', 'APP_IN_USE'],
    },
  },
];
