/** A node as a workflow file holds it. */
export interface NodeFile {
  readonly name: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly position: readonly [number, number];
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly [extra: string]: unknown;
}

/** A workflow as a client sends it. */
export interface WorkflowFile {
  readonly name: string;
  readonly nodes: readonly NodeFile[];
  readonly connections: Readonly<
    Record<
      string,
      {
        readonly main: readonly (readonly { readonly node: string; readonly type: 'main'; readonly index: number }[])[];
      }
    >
  >;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A node of a kind, placed on the canvas from left to right. */
export const node = (
  name: string,
  kind: string,
  typeVersion: number,
  x: number,
  parameters: Readonly<Record<string, unknown>> = {},
  extra: Readonly<Record<string, unknown>> = {},
): NodeFile => ({
  name,
  type: `n8n-nodes-base.${kind}`,
  typeVersion,
  position: [x, 0],
  parameters,
  ...extra,
});

const links = (targets: readonly string[]) =>
  targets.map((target) => ({ node: target, type: 'main' as const, index: 0 }));

/** Connections from `{ source: [targets of output 0, targets of output 1] }`. */
export const connect = (
  outputs: Readonly<Record<string, readonly (readonly string[])[]>>,
): WorkflowFile['connections'] =>
  Object.fromEntries(Object.entries(outputs).map(([source, targets]) => [source, { main: targets.map(links) }]));

/** A workflow of nodes that follow each other. */
export const chain = (name: string, nodes: readonly NodeFile[], settings: object = {}): WorkflowFile => ({
  name,
  nodes,
  settings: { executionOrder: 'v1', ...settings },
  connections: connect(
    Object.fromEntries(nodes.slice(1).map((one, index) => [nodes[index]?.name ?? '', [[one.name]]])),
  ),
});

/** A webhook that sets one field: the smallest workflow with an effect. */
export const smallWorkflow = (path: string, webhook: Readonly<Record<string, unknown>> = {}): WorkflowFile => ({
  name: `small ${path}`,
  nodes: [
    node('Webhook', 'webhook', 2, 0, { httpMethod: 'POST', path, ...webhook }),
    node('Set', 'set', 3.4, 200, {
      mode: 'manual',
      assignments: { assignments: [{ id: 'a', name: 'total', type: 'number', value: '={{ $json.body.n + 1 }}' }] },
      options: {},
    }),
  ],
  connections: connect({ Webhook: [['Set']] }),
  settings: { executionOrder: 'v1' },
});

/**
 * The main job: a push comes in, is checked, reported to another server, shaped and answered.
 * @param target where the httpRequest node sends to.
 */
export const pushWorkflow = (path: string, target: string): WorkflowFile => ({
  name: `push to ${path}`,
  nodes: [
    node(
      'Push',
      'webhook',
      2,
      0,
      { httpMethod: 'POST', path, responseMode: 'responseNode', options: {} },
      { webhookId: 'b0a5d3a2-6a2c-4f0e-9a51-3d0d3a1b7c11' },
    ),
    node('On main?', 'if', 2.2, 200, {
      conditions: {
        options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
        combinator: 'and',
        conditions: [
          {
            id: 'c1',
            leftValue: '={{ $json.body.ref }}',
            rightValue: 'refs/',
            operator: { type: 'string', operation: 'startsWith' },
          },
        ],
      },
      options: {},
    }),
    node('Tell', 'httpRequest', 4.2, 400, {
      method: 'POST',
      url: target,
      sendBody: true,
      specifyBody: 'json',
      jsonBody: '={{ { "repo": $json.body.repository.full_name, "commits": $json.body.commits.length } }}',
      options: {},
    }),
    node('Shape', 'set', 3.4, 600, {
      mode: 'manual',
      options: {},
      assignments: {
        assignments: [
          { id: 's1', name: 'ticket', type: 'string', value: '={{ $json.ticket }}' },
          { id: 's2', name: 'by', type: 'string', value: "={{ $('Push').item.json.body.pusher.name }}" },
        ],
      },
    }),
    node('Answer', 'respondToWebhook', 1.1, 800, {
      respondWith: 'json',
      responseBody: '={{ $json }}',
      options: {
        responseCode: 202,
        responseHeaders: { entries: [{ name: 'x-ticket', value: '={{ $json.ticket }}' }] },
      },
    }),
    node('Not main', 'noOp', 1, 400),
  ],
  connections: connect({
    Push: [['On main?']],
    'On main?': [['Tell'], ['Not main']],
    Tell: [['Shape']],
    Shape: [['Answer']],
  }),
  settings: { executionOrder: 'v1' },
});
