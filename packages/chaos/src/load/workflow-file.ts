/** A node as a workflow file holds it. */
export interface NodeFile {
  readonly name: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly position: readonly [number, number];
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Credentials by type. */
  readonly credentials?: Readonly<Record<string, { readonly id: string; readonly name: string }>>;
  readonly onError?: 'continueRegularOutput';
}

/** A workflow as a client sends it. */
export interface WorkflowFile {
  readonly name: string;
  readonly nodes: readonly NodeFile[];
  readonly connections: Readonly<Record<string, unknown>>;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly active: boolean;
}

/** A node of a kind. */
export const node = (
  name: string,
  kind: string,
  typeVersion: number,
  parameters: Readonly<Record<string, unknown>> = {},
): NodeFile => ({
  name,
  type: `n8n-nodes-base.${kind}`,
  typeVersion,
  position: [0, 0],
  parameters,
});

/** Nodes that follow each other. */
export const chain = (
  name: string,
  nodes: readonly NodeFile[],
  isActive: boolean,
  settings: Readonly<Record<string, unknown>> = {},
): WorkflowFile => ({
  name,
  nodes: nodes.map((each, index) => ({ ...each, position: [index * 200, 0] })),
  connections: Object.fromEntries(
    nodes
      .slice(0, -1)
      .map((each, index) => [each.name, { main: [[{ node: nodes[index + 1]?.name ?? '', type: 'main', index: 0 }]] }]),
  ),
  settings: { executionOrder: 'v1', ...settings },
  active: isActive,
});

/** A webhook at the path of the same name as its workflow. */
export const webhook = (
  path: string,
  responseMode: 'onReceived' | 'lastNode' | 'responseNode',
  options: Readonly<Record<string, unknown>> = {},
): NodeFile => node('Hook', 'webhook', 2, { httpMethod: 'POST', path, responseMode, options });

/** Sets one field to a number or a string. */
export const set = (name: string, field: string, value: string, type: 'number' | 'string' = 'number'): NodeFile =>
  node(name, 'set', 3.4, {
    mode: 'manual',
    includeOtherFields: false,
    options: {},
    assignments: { assignments: [{ id: field, name: field, type, value }] },
  });

/** Calls the sink, which counts the calls of each key; `path` begins with a slash and may hold an expression. */
export const effect = (name: string, sinkUrl: string, path: string): NodeFile =>
  node(name, 'httpRequest', 4.2, {
    method: 'POST',
    url: `=${sinkUrl}${path}`,
    sendBody: true,
    specifyBody: 'json',
    jsonBody: '{}',
    options: { sendIdempotencyKey: true },
  });

/** Code that runs once for all items. */
export const code = (name: string, jsCode: string): NodeFile => node(name, 'code', 2, { jsCode });

/** Calls a stored workflow. */
export const call = (name: string, workflowId: string, mode: 'once' | 'each', waits: boolean): NodeFile =>
  node(name, 'executeWorkflow', 1.2, {
    source: 'database',
    workflowId: { __rl: true, mode: 'id', value: workflowId },
    mode,
    options: { waitForSubWorkflow: waits },
  });
