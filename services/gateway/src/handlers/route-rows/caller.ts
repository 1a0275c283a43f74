import { CALLER, getCaller, getVersion, VERSION } from '../../identity/caller';
import { answers } from '../../openapi/route-doc';
import type { Route } from '../api-handler';
import { getStatus, INSTANCE_STATUS } from '../reference/status';

/** The caller and the server. */
export const CALLER_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/me',
    query: [],
    body: 'none',
    handler: getCaller,
    doc: {
      tag: 'Users',
      summary: 'Get yourself',
      description: 'The user, key and projects of the caller, for every key, whatever its scopes.',
      answers: answers(CALLER),
      reasons: ['USER_NOT_FOUND'],
    },
  },
  {
    method: 'GET',
    path: '/version',
    query: [],
    body: 'none',
    handler: getVersion,
    doc: {
      tag: 'Users',
      summary: 'Get the version of the server',
      description: 'Release and commit of the gateway, for any key.',
      answers: answers(VERSION),
    },
  },
  {
    method: 'GET',
    path: '/status',
    query: [],
    body: 'none',
    handler: getStatus,
    doc: {
      tag: 'Users',
      summary: 'Get the status of the instance',
      description: 'Whether the services respond, and how many executions there are. For owners and admins.',
      answers: answers(INSTANCE_STATUS),
    },
  },
];
