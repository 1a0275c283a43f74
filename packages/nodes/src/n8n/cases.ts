import type { JsonObject } from '@weft/node-catalogue';
import type { CaseWorld, KindCases, NodeCase } from '../testing/cases/node-case';

const KEY = 'n8n_api_0123456789';
const ID = 'w1';
const WORKFLOW = { name: 'A', nodes: [], connections: {}, settings: {} };

/** A run with the case's server as another instance. */
const against =
  (parameters: JsonObject, items: readonly JsonObject[] = [{}]) =>
  ({ url }: CaseWorld) => ({
    items,
    parameters,
    node: { credentials: { n8nApi: { id: 'c1', name: 'n8n' } } },
    credential: { apiKey: KEY, baseUrl: `${url}/api/v1/` },
  });

/** An operation with its request and the output item. */
const sends = (it: string, parameters: JsonObject, request: object): NodeCase => ({
  it,
  versions: [1],
  run: against(parameters, [{ n: 1 }]),
  serverAnswers: { body: '{"id":"x1"}' },
  gives: [[{ id: 'x1' }]],
  pairs: [[{ item: 0 }]],
  sends: request,
});

const list = (over: object = {}) => ({ body: JSON.stringify({ data: [{ id: 'a' }, { id: 'b' }], ...over }) });

/** The cases of n8n. e2e/src/stories/runs/instance-node.test.ts covers the operations on this instance. */
export const n8nCases: KindCases = {
  kind: 'n8n',
  cases: [
    {
      it: 'sends the key of its credential and outputs an item for each workflow',
      versions: [1],
      run: against({}),
      serverAnswers: list(),
      gives: [[{ id: 'a' }, { id: 'b' }]],
      pairs: [[{ item: 0 }, { item: 0 }]],
      sends: { method: 'GET', path: '/api/v1/workflows', headers: { 'x-n8n-api-key': KEY } },
    },
    {
      it: 'sends limit and filters, and stops at the limit',
      versions: [1],
      run: against({
        returnAll: false,
        limit: 1,
        filters: { activeWorkflows: true, tags: 'x', name: 'A', projectId: 'p', excludePinnedData: true },
      }),
      serverAnswers: list({ nextCursor: 'more' }),
      gives: [[{ id: 'a' }]],
      sends: {
        path: '/api/v1/workflows?limit=1&active=true&tags=x&name=A&projectId=p&excludePinnedData=true',
      },
    },
    {
      it: 'stops reading a list that never ends',
      versions: [1],
      run: against({}),
      serverAnswers: list({ nextCursor: 'more' }),
      fails: 'The list has more than 100 pages',
    },
    {
      it: 'lists executions by workflow and status, with their data',
      versions: [1],
      run: against({
        resource: 'execution',
        filters: { workflowId: { __rl: true, mode: 'list', value: ID }, status: 'error' },
        options: { activeWorkflows: true },
      }),
      serverAnswers: list(),
      gives: [[{ id: 'a' }, { id: 'b' }]],
      sends: { path: '/api/v1/executions?limit=100&workflowId=w1&status=error&includeData=true' },
    },
    sends(
      'reads a workflow selected by URL',
      { operation: 'get', workflowId: { __rl: true, mode: 'url', value: `https://n8n.example/workflow/${ID}` } },
      { method: 'GET', path: '/api/v1/workflows/w1' },
    ),
    sends(
      'reads a version',
      { operation: 'getVersion', workflowId: ID, versionId: 'v1' },
      { method: 'GET', path: '/api/v1/workflows/w1/v1' },
    ),
    sends(
      'publishes a workflow',
      { operation: 'activate', workflowId: ID, additionalFields: { versionId: 'v1', name: 'n' } },
      { method: 'POST', path: '/api/v1/workflows/w1/activate', body: '{"versionId":"v1","name":"n"}' },
    ),
    sends(
      'unpublishes a workflow',
      { operation: 'deactivate', workflowId: ID },
      { method: 'POST', path: '/api/v1/workflows/w1/deactivate' },
    ),
    sends(
      'deletes a workflow',
      { operation: 'delete', workflowId: ID },
      { method: 'DELETE', path: '/api/v1/workflows/w1' },
    ),
    sends(
      'creates a workflow from the fields that the API accepts',
      { operation: 'create', workflowObject: '{"nodes":[],"tags":[],"id":"7"}' },
      {
        method: 'POST',
        path: '/api/v1/workflows',
        body: '{"name":"My workflow","nodes":[],"settings":{},"connections":{},"staticData":null}',
      },
    ),
    sends(
      'updates a workflow with the given fields',
      { operation: 'update', workflowId: ID, workflowObject: JSON.stringify({ ...WORKFLOW, active: true, name: '' }) },
      { method: 'PUT', path: '/api/v1/workflows/w1', body: '{"nodes":[],"settings":{},"connections":{}}' },
    ),
    sends(
      'reads an execution',
      { resource: 'execution', operation: 'get', executionId: '={{ $json.n }}' },
      { method: 'GET', path: '/api/v1/executions/1' },
    ),
    sends(
      'deletes an execution',
      { resource: 'execution', operation: 'delete', executionId: 5 },
      { method: 'DELETE', path: '/api/v1/executions/5' },
    ),
    sends(
      'creates a credential',
      {
        resource: 'credential',
        operation: 'create',
        name: 'c',
        credentialTypeName: 'httpHeaderAuth',
        data: '{"name":"x-a","value":"b"}',
      },
      {
        method: 'POST',
        path: '/api/v1/credentials',
        body: '{"name":"c","type":"httpHeaderAuth","data":{"name":"x-a","value":"b"}}',
      },
    ),
    sends(
      'deletes a credential',
      { resource: 'credential', operation: 'delete', credentialId: 'a/b' },
      { method: 'DELETE', path: '/api/v1/credentials/a%2Fb' },
    ),
    sends(
      'reads the schema of a credential type',
      { resource: 'credential', operation: 'getSchema', credentialTypeName: 'n8nApi' },
      { method: 'GET', path: '/api/v1/credentials/schema/n8nApi' },
    ),
    sends(
      'generates an audit',
      {
        resource: 'audit',
        operation: 'generate',
        additionalOptions: { categories: ['nodes'], daysAbandonedWorkflow: 3 },
      },
      {
        method: 'POST',
        path: '/api/v1/audit',
        body: '{"additionalOptions":{"categories":["nodes"],"daysAbandonedWorkflow":3}}',
      },
    ),
    {
      it: 'reports the error of an instance, without the key',
      versions: [1],
      run: against({ operation: 'get', workflowId: ID }),
      serverAnswers: { status: 404, body: `{"message":"not found by ${KEY}"}` },
      fails: 'The resource you are requesting could not be found',
    },
    {
      it: 'rejects ids that lead to another path',
      versions: [1],
      run: against({ operation: 'delete', workflowId: '..' }),
      fails: '".." is not an id',
    },
    sends(
      'separates ids from the rest of the path',
      { operation: 'delete', workflowId: 'w1/../../credentials?a=1#b' },
      { method: 'DELETE', path: '/api/v1/workflows/w1%2F..%2F..%2Fcredentials%3Fa%3D1%23b' },
    ),
    {
      it: 'rejects a workflow that is not JSON',
      versions: [1],
      run: against({ operation: 'create', workflowObject: '{' }),
      fails: 'The parameter "workflowObject" must be valid JSON',
    },
  ],
};
