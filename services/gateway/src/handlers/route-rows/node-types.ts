import { IF_NONE_MATCH } from '../../http/entity-tags';
import { NOT_MODIFIED_ANSWER, tagged } from '../../openapi/route-doc';
import { listOf } from '../../openapi/schema';
import type { Route } from '../api-handler';
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
      description: 'Every node kind with its parameters, by name.',
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
];
