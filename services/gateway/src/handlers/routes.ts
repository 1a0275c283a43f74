import { createApiKey, deleteApiKey, listApiKeys } from '../identity/api-keys';
import { AUDIT_QUERY, listAudit } from '../identity/audit';
import { createInvitation, deleteInvitation, listInvitations, resetPassword } from '../identity/invitations';
import {
  changeUserRole,
  createUser,
  deleteUser,
  deleteUserApiKey,
  getUser,
  listUserApiKeys,
  lockUser,
  signOutUser,
  unlockUser,
} from '../identity/users';
import type { Route } from './api-handler';
import { createCredential, deleteCredential, getCredential, listCredentials, updateCredential } from './credentials';
import {
  createDataTable,
  deleteDataTable,
  getDataTable,
  insertRows,
  listDataTables,
  listRows,
  renameDataTable,
} from './data-tables';
import { deleteDelivery, getDelivery, listDeliveries, redeliver } from './deliveries';
import { cancelExecution, deleteExecution, getExecution, getExecutionBinary } from './executions/executions';
import { listExecutions } from './executions/list-executions';
import { getNodeType, listNodeTypes } from './node-types';
import { retryExecution, retryExecutions } from './retries';
import { cancelRetryJob, getRetryJob, listRetryJobs } from './retry-jobs';
import { cancelBackfill, listBackfills, previewSchedule, startBackfill } from './schedules';
import { listUsers } from './users';
import { createVariable, deleteVariable, listVariables, replaceVariable } from './variables';
import { executeWorkflow } from './workflows/execute-workflow';
import {
  activateWorkflow,
  createWorkflow,
  deactivateWorkflow,
  deleteWorkflow,
  getWorkflow,
  listWorkflows,
  replaceWorkflow,
} from './workflows/workflows';

const PAGE = ['limit', 'cursor'];
const EXECUTION_LIST = [...PAGE, 'workflowId', 'status', 'includeData'];

/** Every endpoint below /api/v1, in the order of the specification; the one for files is an addition. */
export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/workflows', query: [...PAGE, 'summary'], body: 'none', handler: listWorkflows },
  { method: 'GET', path: '/workflows/:id', query: [], body: 'none', handler: getWorkflow },
  { method: 'POST', path: '/workflows', query: [], body: 'required', handler: createWorkflow },
  { method: 'PUT', path: '/workflows/:id', query: [], body: 'required', handler: replaceWorkflow },
  { method: 'DELETE', path: '/workflows/:id', query: [], body: 'none', handler: deleteWorkflow },
  { method: 'POST', path: '/workflows/:id/activate', query: [], body: 'none', handler: activateWorkflow },
  { method: 'POST', path: '/workflows/:id/deactivate', query: [], body: 'none', handler: deactivateWorkflow },
  { method: 'GET', path: '/executions', query: EXECUTION_LIST, body: 'none', handler: listExecutions },
  { method: 'GET', path: '/executions/:id', query: [], body: 'none', handler: getExecution },
  { method: 'GET', path: '/executions/:id/binary/:ref', query: [], body: 'none', handler: getExecutionBinary },
  { method: 'POST', path: '/executions/:id/cancel', query: [], body: 'none', handler: cancelExecution },
  { method: 'POST', path: '/executions/retry', query: [], body: 'required', handler: retryExecutions },
  { method: 'POST', path: '/executions/:id/retry', query: [], body: 'optional', handler: retryExecution },
  { method: 'DELETE', path: '/executions/:id', query: [], body: 'none', handler: deleteExecution },
  { method: 'POST', path: '/workflows/:id/execute', query: [], body: 'optional', handler: executeWorkflow },
  { method: 'GET', path: '/workflows/:id/schedule', query: ['count'], body: 'none', handler: previewSchedule },
  { method: 'POST', path: '/workflows/:id/backfill', query: [], body: 'required', handler: startBackfill },
  { method: 'GET', path: '/workflows/:id/backfills', query: [], body: 'none', handler: listBackfills },
  { method: 'POST', path: '/backfills/:id/cancel', query: [], body: 'none', handler: cancelBackfill },
  { method: 'GET', path: '/node-types', query: [], body: 'none', handler: listNodeTypes },
  { method: 'GET', path: '/node-types/:id', query: [], body: 'none', handler: getNodeType },
  { method: 'GET', path: '/credentials', query: PAGE, body: 'none', handler: listCredentials },
  { method: 'GET', path: '/credentials/:id', query: [], body: 'none', handler: getCredential },
  { method: 'POST', path: '/credentials', query: [], body: 'required', handler: createCredential },
  { method: 'PUT', path: '/credentials/:id', query: [], body: 'required', handler: updateCredential },
  { method: 'DELETE', path: '/credentials/:id', query: [], body: 'none', handler: deleteCredential },
  { method: 'GET', path: '/variables', query: PAGE, body: 'none', handler: listVariables },
  { method: 'POST', path: '/variables', query: [], body: 'required', handler: createVariable },
  { method: 'PUT', path: '/variables/:id', query: [], body: 'required', handler: replaceVariable },
  { method: 'DELETE', path: '/variables/:id', query: [], body: 'none', handler: deleteVariable },
  { method: 'GET', path: '/users', query: PAGE, body: 'none', handler: listUsers },
  { method: 'GET', path: '/users/:id', query: [], body: 'none', handler: getUser },
  { method: 'POST', path: '/users', query: [], body: 'required', handler: createUser },
  { method: 'PUT', path: '/users/:id', query: [], body: 'required', handler: changeUserRole },
  { method: 'DELETE', path: '/users/:id', query: ['transferTo'], body: 'none', handler: deleteUser },
  { method: 'POST', path: '/users/:id/lock', query: [], body: 'none', handler: lockUser },
  { method: 'POST', path: '/users/:id/unlock', query: [], body: 'none', handler: unlockUser },
  { method: 'POST', path: '/users/:id/sign-out', query: [], body: 'none', handler: signOutUser },
  { method: 'POST', path: '/users/:id/reset-password', query: [], body: 'none', handler: resetPassword },
  { method: 'GET', path: '/keys', query: [], body: 'none', handler: listApiKeys },
  { method: 'POST', path: '/keys', query: [], body: 'required', handler: createApiKey },
  { method: 'DELETE', path: '/keys/:id', query: [], body: 'none', handler: deleteApiKey },
  { method: 'GET', path: '/audit', query: AUDIT_QUERY, body: 'none', handler: listAudit },
  { method: 'GET', path: '/invitations', query: [], body: 'none', handler: listInvitations },
  { method: 'POST', path: '/invitations', query: [], body: 'required', handler: createInvitation },
  { method: 'DELETE', path: '/invitations/:id', query: [], body: 'none', handler: deleteInvitation },
  { method: 'GET', path: '/users/:id/keys', query: [], body: 'none', handler: listUserApiKeys },
  { method: 'DELETE', path: '/users/:id/keys/:ref', query: [], body: 'none', handler: deleteUserApiKey },
  { method: 'GET', path: '/data-tables', query: PAGE, body: 'none', handler: listDataTables },
  { method: 'GET', path: '/data-tables/:id', query: [], body: 'none', handler: getDataTable },
  { method: 'POST', path: '/data-tables', query: [], body: 'required', handler: createDataTable },
  { method: 'PUT', path: '/data-tables/:id', query: [], body: 'required', handler: renameDataTable },
  { method: 'DELETE', path: '/data-tables/:id', query: [], body: 'none', handler: deleteDataTable },
  { method: 'GET', path: '/data-tables/:id/rows', query: PAGE, body: 'none', handler: listRows },
  { method: 'POST', path: '/data-tables/:id/rows', query: [], body: 'required', handler: insertRows },
  { method: 'GET', path: '/retry-jobs', query: PAGE, body: 'none', handler: listRetryJobs },
  { method: 'GET', path: '/retry-jobs/:id', query: [], body: 'none', handler: getRetryJob },
  { method: 'POST', path: '/retry-jobs/:id/cancel', query: [], body: 'none', handler: cancelRetryJob },
  {
    method: 'GET',
    path: '/deliveries',
    query: [...PAGE, 'workflowId', 'state'],
    body: 'none',
    handler: listDeliveries,
  },
  { method: 'GET', path: '/deliveries/:id', query: [], body: 'none', handler: getDelivery },
  { method: 'POST', path: '/deliveries/:id/redeliver', query: [], body: 'none', handler: redeliver },
  { method: 'DELETE', path: '/deliveries/:id', query: [], body: 'none', handler: deleteDelivery },
];

/** All paths of the API begin with it. */
export const API_ROOT = '/api/v1';

/** The paths, with their parameters as express names them. */
export const REST_PATHS: readonly string[] = [...new Set(ROUTES.map(({ path }) => API_ROOT + path))];
