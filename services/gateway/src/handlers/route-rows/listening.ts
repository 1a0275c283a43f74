import { answers, succeeds } from '../../openapi/route-doc';
import type { Route } from '../api-handler';
import {
  getListening,
  LISTENING,
  LISTENING_BODY,
  LISTENING_ID,
  startListening,
  stopListening,
} from '../workflows/listening';

/** Routes of a workflow that waits for a test call. */
export const LISTENING_ROUTES: readonly Route[] = [
  {
    method: 'PUT',
    path: '/workflows/:id/listening',
    query: [],
    body: 'required',
    request: LISTENING_BODY,
    handler: startListening,
    doc: {
      tag: 'Workflows',
      summary: 'Listen for a test call',
      example: { node: 'Webhook', seconds: 120 },
      description:
        'Waits for one call of `/webhook-test/` followed by the path of the webhook, and runs the definition ' +
        'with it. The run is a manual one: pinned nodes return their items. Each workflow waits for one call at ' +
        'a time: a second request replaces the first.',
      answers: answers(LISTENING, 'The workflow waits.'),
      reasons: [
        'WORKFLOW_NOT_FOUND',
        'WORKFLOW_NOT_RUNNABLE',
        'CREDENTIAL_NOT_GRANTED',
        'WEBHOOK_PATH_TAKEN',
        'TOO_MANY_LISTENING',
      ],
    },
  },
  {
    method: 'GET',
    path: '/workflows/:id/listening',
    query: [],
    body: 'none',
    handler: getListening,
    doc: {
      tag: 'Workflows',
      summary: 'Get what a workflow listens for',
      description: 'With the execution that the call has started, for an hour.',
      answers: answers(LISTENING),
      reasons: ['WORKFLOW_NOT_FOUND'],
    },
  },
  {
    method: 'DELETE',
    path: '/workflows/:id/listening',
    query: [LISTENING_ID],
    body: 'none',
    handler: stopListening,
    doc: {
      tag: 'Workflows',
      summary: 'Stop listening',
      description: 'Repeating it changes nothing.',
      answers: succeeds,
      reasons: ['WORKFLOW_NOT_FOUND'],
    },
  },
];
