import { IF_MATCH, IF_NONE_MATCH } from '../../http/entity-tags';
import { IDEMPOTENCY_KEY, CREATION_KEY, CREATION_KEY_REASONS } from '../../http/idempotency-key';
import { PREFER } from '../../http/prefer';
import { PAGE } from '../../http/read-query';
import { DEFINITION } from '../../openapi/definition-schemas';
import type { Reason } from '../../openapi/reasons';
import {
  answers,
  creates,
  MINIMAL_ANSWER,
  NOT_MODIFIED_ANSWER,
  pages,
  succeeds,
  tagged,
} from '../../openapi/route-doc';
import { dataBody, listBody, listOf } from '../../openapi/schema';
import type { Route } from '../api-handler';
import { CHECK_BODY, CHECKED_WORKFLOW, checkWorkflows } from '../workflows/check-workflows';
import { EXECUTE_BODY, executeWorkflow, STARTED } from '../workflows/execute-workflow';
import { CREATION_QUERY, REPLACEMENT_QUERY } from '../workflows/management';
import { getWorkflowVersion, listWorkflowVersions, VERSION_SUMMARY, WORKFLOW_VERSION } from '../workflows/versions';
import { NEW_WORKFLOW_BODY, WORKFLOW_BODY } from '../workflows/workflow-body';
import { CREATED_WORKFLOW, WARNINGS, WORKFLOW, WORKFLOW_SUMMARY } from '../workflows/workflow-json';
import {
  activateWorkflow,
  createWorkflow,
  deactivateWorkflow,
  deleteWorkflow,
  getWorkflow,
  LIST_QUERY,
  listWorkflows,
  PARKED,
  replaceWorkflow,
} from '../workflows/workflows';

const CHANGE: readonly Reason[] = ['WORKFLOW_NOT_FOUND', 'VERSION_CONFLICT', 'WORKFLOW_BUSY'];

/** Workflows. */
export const WORKFLOW_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/workflows',
    query: LIST_QUERY,
    body: 'none',
    handler: listWorkflows,
    doc: {
      tag: 'Workflows',
      summary: 'List workflows',
      description:
        'Newest first: all that match, or one page if `limit` or `cursor` is given. A page may be short or empty ' +
        'although more pages follow: only `nextCursor: null` marks the end.',
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
    query: CREATION_QUERY,
    body: 'required',
    request: NEW_WORKFLOW_BODY,
    handler: createWorkflow,
    doc: {
      tag: 'Workflows',
      summary: 'Create a workflow',
      example: { ...DEFINITION, active: true },
      description:
        'With `active: true` it is also activated. If it cannot run, it is stored as inactive, and `warnings` say why.',
      headers: [CREATION_KEY],
      answers: {
        201: { description: 'Created.', body: dataBody(CREATED_WORKFLOW, WARNINGS), headers: ['Location', 'ETag'] },
      },
      reasons: [
        ...CREATION_KEY_REASONS,
        'CREDENTIAL_NOT_GRANTED',
        'WEBHOOK_PATH_TAKEN',
        'WORKFLOW_KEY_TAKEN',
        'WORKFLOW_BUSY',
        'PROJECT_NOT_FOUND',
      ],
    },
  },
  {
    method: 'POST',
    path: '/workflows/check',
    query: [],
    body: 'required',
    request: CHECK_BODY,
    handler: checkWorkflows,
    doc: {
      tag: 'Workflows',
      summary: 'Check workflows',
      example: { workflows: [DEFINITION] },
      description:
        'Checks definitions like a creation, replacement and activation, and stores nothing. Returns errors, ' +
        'warnings, the credentials that they would use and the addresses that they would have. A definition with the ' +
        '`id` of a workflow that you may change is checked as its replacement.',
      answers: answers(listOf(CHECKED_WORKFLOW), 'One outcome for each definition, in order.'),
      reasons: ['PROJECT_NOT_FOUND'],
    },
  },
  {
    method: 'PUT',
    path: '/workflows/:id',
    query: REPLACEMENT_QUERY,
    body: 'required',
    request: WORKFLOW_BODY,
    handler: replaceWorkflow,
    doc: {
      tag: 'Workflows',
      summary: 'Replace a workflow',
      example: DEFINITION,
      description:
        '`active` does not change. Id, times and `projectId` in the body are ignored, so that you can send the ' +
        'response of GET, or the body of the creation. Key and management do not change unless the query sets them.',
      headers: [IF_MATCH, PREFER],
      answers: { ...tagged(WORKFLOW, WARNINGS), 204: MINIMAL_ANSWER },
      reasons: [
        ...CHANGE,
        'WORKFLOW_NOT_RUNNABLE',
        'CREDENTIAL_NOT_GRANTED',
        'WEBHOOK_PATH_TAKEN',
        'WORKFLOW_KEY_TAKEN',
      ],
    },
  },
  {
    method: 'GET',
    path: '/workflows/:id/versions',
    query: PAGE,
    body: 'none',
    handler: listWorkflowVersions,
    doc: {
      tag: 'Workflows',
      summary: 'List the versions of a workflow',
      description: 'Newest first, without their definitions. A version is kept for at least 96 h after it is replaced.',
      answers: pages(VERSION_SUMMARY),
      reasons: ['WORKFLOW_NOT_FOUND'],
    },
  },
  {
    method: 'GET',
    path: '/workflows/:id/versions/:versionId',
    query: [],
    body: 'none',
    handler: getWorkflowVersion,
    doc: {
      tag: 'Workflows',
      summary: 'Get a version of a workflow',
      answers: answers(WORKFLOW_VERSION),
      reasons: ['WORKFLOW_NOT_FOUND', 'VERSION_NOT_FOUND'],
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
      description: 'Its webhooks and schedules are removed immediately.',
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
        'Makes its triggers live. A repeated request changes nothing. A warning counts the webhook calls that a ' +
        'deactivation has parked, unless `parked` is set.',
      headers: [IF_MATCH, PREFER],
      answers: { ...tagged(WORKFLOW, WARNINGS), 204: MINIMAL_ANSWER },
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
      description: 'Removes its triggers. A repeated request changes nothing.',
      headers: [IF_MATCH, PREFER],
      answers: { ...tagged(WORKFLOW), 204: MINIMAL_ANSWER },
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
      example: { data: { order: 7 }, wait: true },
      description:
        'Responds as soon as the execution is stored, or with `wait: true` when it has ended. `definition` runs a ' +
        'draft, and `destinationNode` and `reuseFrom` run some nodes only.',
      headers: [IDEMPOTENCY_KEY],
      answers: creates(STARTED, 'Started.'),
      reasons: [
        'WORKFLOW_NOT_FOUND',
        'WORKFLOW_NOT_RUNNABLE',
        'CREDENTIAL_NOT_GRANTED',
        'EXECUTION_NOT_FOUND',
        'EXECUTION_NOT_FINISHED',
        'REUSE_NOT_POSSIBLE',
        'IDEMPOTENCY_KEY_REUSED',
        'QUEUE_FULL',
        'TOO_MANY_WAITING',
        'REPLICA_STOPPING',
      ],
    },
  },
];
