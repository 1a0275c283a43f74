import { PAGE } from '../../http/read-query';
import { answers, pages, succeeds } from '../../openapi/route-doc';
import type { Route } from '../api-handler';
import {
  CONVERSATION,
  deleteConversation,
  deleteConversations,
  DELETED_CONVERSATIONS,
  getConversation,
  listConversations,
  WHOLE_CONVERSATION,
} from '../workflows/conversations';

/** Conversations that memories of a workflow stored. */
export const CONVERSATION_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/workflows/:id/conversations',
    query: PAGE,
    body: 'none',
    handler: listConversations,
    doc: {
      tag: 'Workflows',
      summary: 'List the conversations of a workflow',
      description:
        'Those that the simple memory stored, without their messages, the one with the newest message first. ' +
        'For users who may change the workflow.',
      answers: pages(CONVERSATION),
      reasons: ['WORKFLOW_NOT_FOUND'],
    },
  },
  {
    method: 'DELETE',
    path: '/workflows/:id/conversations',
    query: [],
    body: 'none',
    handler: deleteConversations,
    doc: {
      tag: 'Workflows',
      summary: 'Delete all conversations of a workflow',
      answers: answers(DELETED_CONVERSATIONS),
      reasons: ['WORKFLOW_NOT_FOUND'],
    },
  },
  {
    method: 'GET',
    path: '/workflows/:id/conversations/:conversationId',
    query: [],
    body: 'none',
    handler: getConversation,
    doc: {
      tag: 'Workflows',
      summary: 'Get a conversation of a workflow',
      description: 'With its messages, the oldest first.',
      answers: answers(WHOLE_CONVERSATION),
      reasons: ['WORKFLOW_NOT_FOUND', 'CONVERSATION_NOT_FOUND'],
    },
  },
  {
    method: 'DELETE',
    path: '/workflows/:id/conversations/:conversationId',
    query: [],
    body: 'none',
    handler: deleteConversation,
    doc: {
      tag: 'Workflows',
      summary: 'Delete a conversation of a workflow',
      description: 'A run that adds messages at the same time begins the conversation again.',
      answers: succeeds,
      reasons: ['WORKFLOW_NOT_FOUND', 'CONVERSATION_NOT_FOUND'],
    },
  },
];
