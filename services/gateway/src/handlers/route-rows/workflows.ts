import { IF_MATCH, IF_NONE_MATCH } from '../../http/entity-tags';
import { IDEMPOTENCY_KEY } from '../../http/idempotency-key';
import { PAGE } from '../../http/read-query';
import type { Reason } from '../../openapi/reasons';
import { creates, NOT_MODIFIED_ANSWER, succeeds, tagged } from '../../openapi/route-doc';
import { dataBody, listBody } from '../../openapi/schema';
import type { Route } from '../api-handler';
import { OF_PROJECT } from '../owned';
import { EXECUTE_BODY, executeWorkflow, STARTED } from '../workflows/execute-workflow';
import { NEW_WORKFLOW_BODY, WORKFLOW_BODY } from '../workflows/workflow-body';
import { NEW_WORKFLOW, WARNINGS, WORKFLOW, WORKFLOW_SUMMARY } from '../workflows/workflow-json';
import {
  activateWorkflow,
  createWorkflow,
  deactivateWorkflow,
  deleteWorkflow,
  getWorkflow,
  listWorkflows,
  PARKED,
  replaceWorkflow,
  SUMMARY,
} from '../workflows/workflows';

const CHANGE: readonly Reason[] = ['WORKFLOW_NOT_FOUND', 'VERSION_CONFLICT', 'WORKFLOW_BUSY'];

/** Workflows. */
export const WORKFLOW_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/workflows',
    query: [...PAGE, OF_PROJECT, SUMMARY],
    body: 'none',
    handler: listWorkflows,
    doc: {
      tag: 'Workflows',
      summary: 'List workflows',
      description: 'Newest first: all of them, or one page if `limit` or `cursor` is given.',
      answers: {
        200: {
          description: 'With `summary=true` the entries have no definitions.',
          body: listBody({ anyOf: [WORKFLOW, WORKFLOW_SUMMARY] }),
        },
      },
    },
  },
  {
    method: 'GET',
    path: '/workflows/:id',
    query: [],
    body: 'none',
    handler: getWorkflow,
    doc: {
      tag: 'Workflows',
      summary: 'Get a workflow',
      description: 'The complete definition as stored.',
      headers: [IF_NONE_MATCH],
      answers: { ...tagged(WORKFLOW), 304: NOT_MODIFIED_ANSWER },
      reasons: ['WORKFLOW_NOT_FOUND'],
    },
  },
  {
    method: 'POST',
    path: '/workflows',
    query: [],
    body: 'required',
    request: NEW_WORKFLOW_BODY,
    handler: createWorkflow,
    doc: {
      tag: 'Workflows',
      summary: 'Create a workflow',
      description:
        'With `active: true` it is also activated. If it cannot run, it is stored as inactive, and `warnings` say why.',
      answers: {
        201: { description: 'Created.', body: dataBody(NEW_WORKFLOW, WARNINGS), headers: ['Location', 'ETag'] },
      },
      reasons: ['CREDENTIAL_NOT_GRANTED', 'WEBHOOK_PATH_TAKEN', 'WORKFLOW_BUSY', 'PROJECT_NOT_FOUND'],
    },
  },
  {
    method: 'PUT',
    path: '/workflows/:id',
    query: [],
    body: 'required',
    request: WORKFLOW_BODY,
    handler: replaceWorkflow,
    doc: {
      tag: 'Workflows',
      summary: 'Replace a workflow',
      description:
        '`active` stays as it is. Id, times and `projectId` in the body are ignored, so that the answer of GET, and ' +
        'the body of the creation, can be sent back.',
      headers: [IF_MATCH],
      answers: tagged(WORKFLOW, WARNINGS),
      reasons: [...CHANGE, 'WORKFLOW_NOT_RUNNABLE', 'CREDENTIAL_NOT_GRANTED', 'WEBHOOK_PATH_TAKEN'],
    },
  },
  {
    method: 'DELETE',
    path: '/workflows/:id',
    query: [],
    body: 'none',
    handler: deleteWorkflow,
    doc: {
      tag: 'Workflows',
      summary: 'Delete a workflow',
      description: 'Its webhooks and schedules are removed at once.',
      headers: [IF_MATCH],
      answers: succeeds,
      reasons: CHANGE,
    },
  },
  {
    method: 'POST',
    path: '/workflows/:id/activate',
    query: [PARKED],
    body: 'none',
    handler: activateWorkflow,
    doc: {
      tag: 'Workflows',
      summary: 'Activate a workflow',
      description:
        'Makes its triggers live. Repeating it changes nothing. A warning counts the webhook calls that a ' +
        'deactivation has parked, unless `parked` says what to do with them.',
      headers: [IF_MATCH],
      answers: tagged(WORKFLOW, WARNINGS),
      reasons: [...CHANGE, 'WORKFLOW_NOT_RUNNABLE', 'CREDENTIAL_NOT_GRANTED', 'WEBHOOK_PATH_TAKEN'],
    },
  },
  {
    method: 'POST',
    path: '/workflows/:id/deactivate',
    query: [],
    body: 'none',
    handler: deactivateWorkflow,
    doc: {
      tag: 'Workflows',
      summary: 'Deactivate a workflow',
      description: 'Removes its triggers. Repeating it changes nothing.',
      headers: [IF_MATCH],
      answers: tagged(WORKFLOW),
      reasons: CHANGE,
    },
  },
  {
    method: 'POST',
    path: '/workflows/:id/execute',
    query: [],
    body: 'optional',
    request: EXECUTE_BODY,
    starts: true,
    handler: executeWorkflow,
    doc: {
      tag: 'Workflows',
      summary: 'Start a workflow',
      description: 'Responds as soon as the execution is stored, or with `wait: true` when it has ended.',
      headers: [IDEMPOTENCY_KEY],
      answers: creates(STARTED, 'Started.'),
      reasons: [
        'WORKFLOW_NOT_FOUND',
        'WORKFLOW_NOT_RUNNABLE',
        'IDEMPOTENCY_KEY_REUSED',
        'QUEUE_FULL',
        'TOO_MANY_WAITING',
        'REPLICA_STOPPING',
      ],
    },
  },
];
