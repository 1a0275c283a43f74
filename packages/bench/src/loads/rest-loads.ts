import type { Api, WorkflowBody } from '../api';
import type { Subject } from '../stacks/subject';
import { definitionOf30Nodes, NODES } from './definition-of-30-nodes';
import { EXPRESS, type Load } from './load';
import { requestLoad } from './request-load';
import { sendRequests, type Requests } from './send-requests';
import { webhookRequests } from './webhook-loads';
import { webhookWorkflow } from './webhook-workflow';

const CONNECTIONS = 50;

const request = ({ api }: Subject, path: string, connections: number): Requests => ({
  url: `${api.baseUrl}/api/v1${path}`,
  headers: api.headers,
  connections,
});

/** Executions of a stack that lists are read from. */
const STORED = 10_000;
const PAGE = 20;
const PAGES = 200;

const filled = new WeakMap<Subject, Promise<string>>();

const fill = async (subject: Subject): Promise<string> => {
  const workflowId = await subject.api.create(webhookWorkflow('fill', 'onReceived'));
  await sendRequests(webhookRequests(subject, 'fill', CONNECTIONS), { amount: STORED });
  await subject.api.untilDone(workflowId);
  return workflowId;
};

/** Stores executions in a stack, once, and returns the id of their workflow. */
const storeExecutions = (subject: Subject): Promise<string> => {
  const stored = filled.get(subject) ?? fill(subject);
  filled.set(subject, stored);
  return stored;
};

/** The paths of the pages of a list, which are known only by reading it. */
const readPaths = async (api: Api, list: string): Promise<string[]> => {
  const paths = [list];
  while (paths.length < PAGES) {
    const { nextCursor } = await api.readPage(paths.at(-1) ?? list);
    if (nextCursor === null) break;
    paths.push(`${list}&cursor=${encodeURIComponent(nextCursor)}`);
  }
  return paths;
};

const getWorkflow: Load = {
  name: 'get-workflow',
  title: `GET workflow of two nodes, ${CONNECTIONS} connections`,
  per: 'request',
  ceiling: EXPRESS,
  prepare: async (subject) => {
    const id = await subject.api.create(webhookWorkflow('get-workflow', 'onReceived'));
    return requestLoad(subject, request(subject, `/workflows/${id}`, CONNECTIONS));
  },
};

const getDefinition: Load = {
  name: 'get-definition',
  title: `GET workflow of ${NODES} nodes, 20 connections`,
  per: 'request',
  prepare: async (subject) => {
    const id = await subject.api.create(definitionOf30Nodes());
    return requestLoad(subject, request(subject, `/workflows/${id}`, 20));
  },
};

/** A definition alone, which n8n accepts too: a replacement does not set `active`. */
const inactive = ({ name, nodes, connections, settings }: WorkflowBody): WorkflowBody => ({
  name,
  nodes,
  connections,
  settings,
});

/** Each connection replaces a different workflow: replacing the same one concurrently causes conflicts. */
const put = (name: string, title: string, connections: number, make: (index: number) => WorkflowBody): Load => ({
  name,
  title,
  per: 'request',
  prepare: async (subject) => {
    const paths: string[] = [];
    for (let index = 0; index < connections; index += 1)
      paths.push(`/api/v1/workflows/${await subject.api.create(make(index))}`);
    return requestLoad(subject, {
      ...request(subject, '/workflows', connections),
      method: 'PUT',
      body: JSON.stringify(make(0)),
      pathsOf: (connection) => [paths[connection % connections] ?? ''],
    });
  },
});

const putWorkflow = put(
  'put-workflow',
  `PUT workflow of two nodes, ${CONNECTIONS} connections, each its own`,
  CONNECTIONS,
  () => inactive(webhookWorkflow('put-workflow', 'onReceived')),
);

const putDefinition = put('put-definition', `PUT workflow of ${NODES} nodes, one connection`, 1, definitionOf30Nodes);

const listExecutions: Load = {
  name: 'list-executions',
  title: `GET executions, the newest ${PAGE} of at least ${STORED.toLocaleString('en')}, ${CONNECTIONS} connections`,
  per: 'request',
  ceiling: EXPRESS,
  prepare: async (subject) => {
    await storeExecutions(subject);
    return requestLoad(subject, request(subject, `/executions?limit=${PAGE}`, CONNECTIONS));
  },
};

const listPages: Load = {
  name: 'list-pages',
  title: `GET executions of a workflow, ${PAGES} pages of ${PAGE}, each connection at another page, 20 connections`,
  per: 'request',
  prepare: async (subject) => {
    const workflowId = await storeExecutions(subject);
    const paths = await readPaths(subject.api, `/executions?workflowId=${workflowId}&limit=${PAGE}`);
    const connections = 20;
    return requestLoad(subject, {
      ...request(subject, '/executions', connections),
      pathsOf: (connection) => {
        const first = Math.floor((connection * paths.length) / connections);
        return [...paths.slice(first), ...paths.slice(0, first)].map((path) => `/api/v1${path}`);
      },
    });
  },
};

/** Requests to the REST API. */
export const REST_LOADS: readonly Load[] = [
  getWorkflow,
  getDefinition,
  putWorkflow,
  putDefinition,
  listExecutions,
  listPages,
];
