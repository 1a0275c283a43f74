import { IDEMPOTENCY_KEY } from '../../http/idempotency-key';
import { PAGE } from '../../http/read-query';
import { answers, creates, pages, succeeds } from '../../openapi/route-doc';
import { BOOLEAN, COUNT, dataBody, described, listOf, record } from '../../openapi/schema';
import type { Route } from '../api-handler';
import { APPROVAL_BODY, decideApproval } from '../executions/approvals';
import { REPLY_BODY, replyToChat } from '../executions/replies';
import { EVENT, PROGRESS } from '../executions/event-json';
import { EVENTS_QUERY, LAST_EVENT_ID, listExecutionEvents } from '../executions/events';
import { EXECUTION } from '../executions/execution-json';
import {
  cancelExecution,
  deleteExecution,
  GET_EXECUTION_QUERY,
  getExecution,
  getExecutionBinary,
} from '../executions/executions';
import { EXECUTION_QUERY, listExecutions } from '../executions/list-executions';
import { LATEST_EXECUTIONS, LATEST_QUERY, listLatestExecutions } from '../executions/latest-executions';
import { getNodeRun, ITEMS_BODY, ITEMS_QUERY, listItems, NODE_RUN } from '../executions/node-runs';
import { RETRIED, RETRIES_BODY, RETRY_BODY, RETRY_DRY_RUN, retryExecution, retryExecutions } from '../retries';
import { cancelRetryJob, getRetryJob, listRetryJobs, RETRY_JOB } from '../retry-jobs';

/** Executions, and jobs that retry many of them. */
export const EXECUTION_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/executions',
    query: EXECUTION_QUERY,
    body: 'none',
    handler: listExecutions,
    doc: {
      tag: 'Executions',
      summary: 'List executions',
      description: 'One page, newest first.',
      answers: pages(EXECUTION),
    },
  },
  {
    method: 'GET',
    path: '/executions/latest',
    query: LATEST_QUERY,
    body: 'none',
    handler: listLatestExecutions,
    doc: {
      tag: 'Executions',
      summary: 'List the latest executions of several workflows',
      description: 'For overviews. Workflows without executions are omitted.',
      answers: answers(LATEST_EXECUTIONS),
    },
  },
  {
    method: 'GET',
    path: '/executions/:id',
    query: GET_EXECUTION_QUERY,
    body: 'none',
    handler: getExecution,
    doc: {
      tag: 'Executions',
      summary: 'Get an execution',
      description:
        'With its run data in `data.resultData.runData`, by the name of the node, unless `includeData` is false.',
      answers: answers(EXECUTION),
      reasons: ['EXECUTION_NOT_FOUND', 'TOO_MANY_WAITING'],
    },
  },
  {
    method: 'GET',
    path: '/executions/:id/events',
    query: EVENTS_QUERY,
    body: 'none',
    handler: listExecutionEvents,
    doc: {
      tag: 'Executions',
      summary: 'List or follow the events of an execution',
      description:
        'Oldest first: a page, or a stream for clients that accept `text/event-stream`. ' +
        'Continue after the last sequence number.',
      headers: [LAST_EVENT_ID],
      answers: {
        200: {
          description: 'A page of events and the current state; or a stream of both.',
          body: record(
            { data: listOf(EVENT), progress: PROGRESS, complete: described('No event will follow.', BOOLEAN) },
            {
              firstSequence: described(
                'The run was restarted: node runs between `after` and this number are lost.',
                COUNT,
              ),
            },
          ),
          isEventStream: true,
        },
        204: { description: 'To a stream: the run has ended, and the client has all events.' },
      },
      reasons: ['EXECUTION_NOT_FOUND', 'TOO_MANY_WAITING'],
    },
  },
  {
    method: 'GET',
    path: '/executions/:id/binary/:fileId',
    query: [],
    body: 'none',
    handler: getExecutionBinary,
    doc: {
      tag: 'Executions',
      summary: 'Get a file of an execution',
      description: '`fileId` is the `id` that an item of the run data holds under `binary`.',
      answers: { 200: { description: 'The file.', isFile: true, headers: ['Content-Disposition'] } },
      reasons: ['EXECUTION_NOT_FOUND'],
    },
  },
  {
    method: 'GET',
    path: '/executions/:id/node-runs/:executionIndex',
    query: [],
    body: 'none',
    handler: getNodeRun,
    doc: {
      tag: 'Executions',
      summary: 'Get a node run',
      description: 'The record of one node run without its items.',
      answers: answers(NODE_RUN),
      reasons: ['EXECUTION_NOT_FOUND', 'NODE_RUN_NOT_FOUND'],
    },
  },
  {
    method: 'GET',
    path: '/executions/:id/node-runs/:executionIndex/items',
    query: ITEMS_QUERY,
    body: 'none',
    handler: listItems,
    doc: {
      tag: 'Executions',
      summary: 'List the items of a node run',
      description: 'A page of the items of one output.',
      answers: { 200: { description: 'A page.', body: ITEMS_BODY } },
      reasons: ['EXECUTION_NOT_FOUND', 'NODE_RUN_NOT_FOUND'],
    },
  },
  {
    method: 'POST',
    path: '/executions/:id/cancel',
    query: [],
    body: 'none',
    handler: cancelExecution,
    doc: {
      tag: 'Executions',
      summary: 'Cancel an execution',
      description: 'A finished run is returned unchanged.',
      answers: answers(EXECUTION),
      reasons: ['EXECUTION_NOT_FOUND'],
    },
  },
  {
    method: 'POST',
    path: '/executions/:id/approvals/:run',
    query: [],
    body: 'required',
    request: APPROVAL_BODY,
    handler: decideApproval,
    doc: {
      tag: 'Executions',
      summary: 'Approve or reject a call of a tool',
      description:
        'Decides about a call that the run waits to make, from `approvals` of the execution. ' +
        'Each call is decided once.',
      answers: answers(EXECUTION),
      reasons: ['EXECUTION_NOT_FOUND', 'APPROVAL_NOT_PENDING'],
    },
  },
  {
    method: 'POST',
    path: '/executions/:id/replies/:run',
    query: [],
    body: 'required',
    request: REPLY_BODY,
    handler: replyToChat,
    doc: {
      tag: 'Executions',
      summary: 'Reply in the chat of an execution',
      description:
        'Replies to the message that the run waits at, from `reply` of the execution, by `text` or `approved`. ' +
        'Each message gets one reply.',
      answers: answers(EXECUTION),
      reasons: ['EXECUTION_NOT_FOUND', 'EXECUTION_NOT_WAITING'],
    },
  },
  {
    method: 'POST',
    path: '/executions/retry',
    query: [],
    body: 'required',
    request: RETRIES_BODY,
    starts: true,
    handler: retryExecutions,
    doc: {
      tag: 'Retries',
      summary: 'Retry many executions',
      description: 'A background job retries every execution that matches the filter once.',
      headers: [IDEMPOTENCY_KEY],
      answers: {
        200: { description: 'The count of a dry run.', body: dataBody(RETRY_DRY_RUN) },
        ...creates(RETRY_JOB, 'The job.'),
      },
      reasons: ['WORKFLOW_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED', 'RETRY_TOO_MANY', 'TOO_MANY_RETRY_JOBS'],
    },
  },
  {
    method: 'POST',
    path: '/executions/:id/retry',
    query: [],
    body: 'optional',
    request: RETRY_BODY,
    starts: true,
    handler: retryExecution,
    doc: {
      tag: 'Executions',
      summary: 'Retry an execution',
      description: 'Runs a finished execution again, as a new execution.',
      headers: [IDEMPOTENCY_KEY],
      answers: creates(RETRIED, 'Started.'),
      reasons: [
        'EXECUTION_NOT_FOUND',
        'WORKFLOW_NOT_FOUND',
        'VERSION_NOT_FOUND',
        'WORKFLOW_NOT_RUNNABLE',
        'EXECUTION_NOT_FINISHED',
        'RETRY_NOT_POSSIBLE',
        'IDEMPOTENCY_KEY_REUSED',
        'QUEUE_FULL',
      ],
    },
  },
  {
    method: 'DELETE',
    path: '/executions/:id',
    query: [],
    body: 'none',
    handler: deleteExecution,
    doc: {
      tag: 'Executions',
      summary: 'Delete an execution',
      description: 'With its data. An unfinished run is cancelled first.',
      answers: succeeds,
      reasons: ['EXECUTION_NOT_FOUND'],
    },
  },
  {
    method: 'GET',
    path: '/retry-jobs',
    query: PAGE,
    body: 'none',
    handler: listRetryJobs,
    doc: { tag: 'Retries', summary: 'List retry jobs', answers: pages(RETRY_JOB) },
  },
  {
    method: 'GET',
    path: '/retry-jobs/:id',
    query: [],
    body: 'none',
    handler: getRetryJob,
    doc: {
      tag: 'Retries',
      summary: 'Get a retry job',
      answers: answers(RETRY_JOB),
      reasons: ['RETRY_JOB_NOT_FOUND'],
    },
  },
  {
    method: 'POST',
    path: '/retry-jobs/:id/cancel',
    query: [],
    body: 'none',
    handler: cancelRetryJob,
    doc: {
      tag: 'Retries',
      summary: 'Cancel a retry job',
      description: 'The runs that it has started continue.',
      answers: answers(RETRY_JOB),
      reasons: ['RETRY_JOB_NOT_FOUND'],
    },
  },
];
