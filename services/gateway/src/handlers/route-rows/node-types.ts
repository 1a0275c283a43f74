import { IF_NONE_MATCH } from '../../http/entity-tags';
import { NOT_MODIFIED_ANSWER, pages, tagged } from '../../openapi/route-doc';
import { listOf } from '../../openapi/schema';
import type { Route } from '../api-handler';
import { listNodeOptions, NODE_OPTION, OPTIONS_BODY } from '../reference/node-options';
import { getNodeType, listNodeTypes, NODE_TYPE } from '../reference/node-types';

/** The catalogue of node kinds. */
export const NODE_TYPE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/node-types',
    query: [],
    body: 'none',
    handler: listNodeTypes,
    doc: {
      tag: 'Node types',
      summary: 'List node types',
      description:
        'Every node kind with its parameters, by name. Tools of kinds (`slackTool`) are described by ' +
        '`GET /node-types/{id}` only.',
      headers: [IF_NONE_MATCH],
      answers: { ...tagged(listOf(NODE_TYPE)), 304: NOT_MODIFIED_ANSWER },
    },
  },
  {
    method: 'GET',
    path: '/node-types/:id',
    query: [],
    body: 'none',
    handler: getNodeType,
    doc: {
      tag: 'Node types',
      summary: 'Get a node type',
      description: 'By the name of its kind, or by a node type such as `n8n-nodes-base.set`.',
      headers: [IF_NONE_MATCH],
      answers: { ...tagged(NODE_TYPE), 304: NOT_MODIFIED_ANSWER },
      reasons: ['NODE_TYPE_NOT_FOUND'],
    },
  },
  {
    method: 'POST',
    path: '/node-types/:id/options',
    query: [],
    body: 'required',
    request: OPTIONS_BODY,
    handler: listNodeOptions,
    doc: {
      example: { list: 'channels', credentialId: '01990000-0000-7000-8000-000000000000', search: 'ops' },
      tag: 'Node types',
      summary: 'List options of a parameter',
      description:
        'Choices for a parameter of an app, which a runner asks the service for, within 10 s. The caller must manage ' +
        'the credential, or be able to use it in a workflow. At most 100 options a page, and 20 requests a minute.',
      answers: pages(NODE_OPTION),
      reasons: [
        'NODE_TYPE_NOT_FOUND',
        'CREDENTIAL_NOT_FOUND',
        'CREDENTIAL_NOT_GRANTED',
        'CREDENTIAL_UNREADABLE',
        'CREDENTIAL_FILE_UNUSABLE',
        'CREDENTIAL_NEEDS_LOGIN',
        'TOKEN_REFRESH_FAILED',
      ],
    },
  },
];
