import type { Json } from '@weft/service-kit/json';
import {
  ANY_OBJECT,
  BOOLEAN,
  component,
  described,
  exemplified,
  ID,
  listOf,
  mapOf,
  oneOf,
  orNull,
  record,
  type Schema,
  TEXT,
} from './schema';

const INTEGER: Schema = { type: 'integer' };

const CREDENTIAL_REFERENCE = component('CredentialReference', {
  ...record({}, { id: orNull(TEXT), name: TEXT }),
  additionalProperties: true,
  description: 'Only the id counts; the name is for people.',
});

const TRIGGER = {
  id: '1b9f2a54-5a0f-4c53-9a51-7f1c6c0f3a11',
  name: 'Order received',
  type: 'n8n-nodes-base.webhook',
  typeVersion: 2,
  position: [0, 0],
  parameters: { httpMethod: 'POST', path: 'orders' },
};

const SET = {
  id: '5d0a7c36-1f0b-4d53-8c0e-2f9c1e7b6a22',
  name: 'Set',
  type: 'n8n-nodes-base.set',
  typeVersion: 3.4,
  position: [220, 0],
  parameters: { assignments: { assignments: [{ name: 'total', type: 'number', value: '={{ $json.body.total }}' }] } },
};

/** The nodes of example workflows: a trigger and a node that sets a field. */
export const NODES: Json = [TRIGGER, SET];

const LINKS = { 'Order received': { main: [[{ node: 'Set', type: 'main', index: 0 }]] } };

/** A definition, as in example requests. */
export const DEFINITION = { name: 'Orders', nodes: NODES, connections: LINKS, settings: {} };

/** Fields of a node, in requests and responses. Only the first five are checked; a wrong type in another is ignored. */
export const NODE_FIELDS = {
  id: TEXT,
  name: described('Unique within the workflow: links and run data find the node by its name.', {
    type: 'string',
    maxLength: 500,
  }),
  type: described('Such as `n8n-nodes-base.set`.', TEXT),
  position: described('Coordinates on the canvas, [x, y]. They determine the order of branches.', {
    type: 'array',
    items: { type: 'number' },
    maxItems: 2,
  }),
  parameters: described('By the kind of node: see `GET /node-types`.', ANY_OBJECT),
  typeVersion: described('Absent: the newest version of the kind.', { type: 'number' }),
  credentials: described(
    'By credential type, for example `httpHeaderAuth`. The oldest exports have only a name, as a string.',
    mapOf({ anyOf: [CREDENTIAL_REFERENCE, TEXT] }),
  ),
  disabled: described('A disabled node passes its first input on unchanged.', BOOLEAN),
  onError: described('Default: `stopWorkflow`.', oneOf('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput')),
  continueOnFail: described('The older form of `onError: continueRegularOutput`.', BOOLEAN),
  retryOnFail: BOOLEAN,
  maxTries: described('Number of tries including the first, 2 to 5. Default: 3.', INTEGER),
  waitBetweenTries: described('Milliseconds, 0 to 5,000. Default: 1,000.', INTEGER),
  alwaysOutputData: BOOLEAN,
  executeOnce: BOOLEAN,
  approval: described('For tools: a person must approve each call that a model makes.', oneOf('required')),
  notes: TEXT,
  webhookId: described('Part of the address of a webhook without a fixed path.', TEXT),
} satisfies Readonly<Record<string, Schema>>;

/** A node of a workflow. Other fields are stored and returned unchanged. */
export const WORKFLOW_NODE = component('WorkflowNode', {
  example: TRIGGER,
  type: 'object',
  properties: NODE_FIELDS,
  required: ['name', 'type'],
  additionalProperties: true,
});

const LINK = component('Link', {
  ...record(
    { node: described('Name of the node at the end of the link.', ID) },
    {
      type: described('`main` carries items. Default: `main`.', TEXT),
      index: described('Number of its input. Default: 0.', { type: 'integer', minimum: 0, maximum: 99 }),
    },
  ),
  additionalProperties: true,
});

/** Links by the name of the source node, then by output type, then by output index. */
export const CONNECTIONS: Schema = exemplified(
  LINKS,
  described(
    'By the name of the source node, then by output type (`main`), then by output index: the links from there.',
    mapOf(mapOf(listOf({ ...listOf(LINK), type: ['array', 'null'] }))),
  ),
);

/** Settings of a workflow. */
export const WORKFLOW_SETTINGS = component('WorkflowSettings', {
  example: { executionOrder: 'v1', timezone: 'Europe/Berlin' },
  ...record(
    {},
    {
      executionOrder: described('`v1`, the default. `v0` cannot run.', TEXT),
      timezone: described('IANA zone of schedules and of `$now`, such as `Europe/Berlin`.', TEXT),
      errorWorkflow: described('Id of the workflow that is started when a run of this one fails.', TEXT),
      executionTimeout: described('Seconds; not positive: no limit.', { type: 'number' }),
      saveDataSuccessExecution: described('`all` or `none`.', TEXT),
      saveDataErrorExecution: described('`all` or `none`.', TEXT),
      callerPolicy: described('Workflows that may call it.', TEXT),
      crashPolicy: described('After a crash of its runner: `resume` (the default), `restart` or `fail`.', TEXT),
    },
  ),
  additionalProperties: true,
});
