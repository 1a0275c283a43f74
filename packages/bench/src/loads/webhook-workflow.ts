/** A node of a workflow, at any position. Its type also exists in n8n. */
export const node = (name: string, kind: string, typeVersion: number, parameters: object) => ({
  name,
  type: `n8n-nodes-base.${kind}`,
  typeVersion,
  position: [0, 0],
  parameters,
});

/** Connects the first output of a node with nodes, each by its name, or by its name and input. */
export const to = (...targets: readonly (string | readonly [name: string, index: number])[]) =>
  targets.map((target) => ({
    node: typeof target === 'string' ? target : target[0],
    type: 'main',
    index: typeof target === 'string' ? 0 : target[1],
  }));

/** An assignment of a Set node. */
export const assignment = (name: string, type: string, value: string) => ({ id: name, name, type, value });

/** A Set node that adds fields. */
export const setNode = (name: string, ...assignments: readonly ReturnType<typeof assignment>[]) =>
  node(name, 'set', 3.4, {
    mode: 'manual',
    includeOtherFields: true,
    options: {},
    assignments: { assignments },
  });

/** An If node that passes items to its first output if a number is larger than another. */
export const ifLarger = (name: string, leftValue: string, rightValue: number) =>
  node(name, 'if', 2.2, {
    options: {},
    conditions: {
      combinator: 'and',
      options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
      conditions: [{ id: 'c', operator: { type: 'number', operation: 'gt' }, leftValue, rightValue }],
    },
  });

type Node = ReturnType<typeof node>;

/** When the caller of a webhook is answered. */
export type ResponseMode = 'onReceived' | 'lastNode';

/** An active workflow that a webhook starts, and its nodes behind each other. */
export const webhookChain = (path: string, responseMode: ResponseMode, ...nodes: readonly Node[]) => {
  const all = [node('Webhook', 'webhook', 2, { httpMethod: 'POST', path, responseMode, options: {} }), ...nodes];
  return {
    name: `bench ${path}`,
    nodes: all.map((each, index) => ({ ...each, position: [200 * index, 0] })),
    connections: Object.fromEntries(
      all.slice(1).map((each, index) => [all[index]?.name ?? '', { main: [to(each.name)] }]),
    ),
    settings: { executionOrder: 'v1' },
    active: true,
  };
};

/** Webhook -> set. */
export const webhookWorkflow = (path: string, responseMode: ResponseMode) =>
  webhookChain(
    path,
    responseMode,
    node('Set', 'set', 3.4, {
      mode: 'manual',
      options: {},
      assignments: {
        assignments: [
          assignment('total', 'number', '={{ $json.body.qty * $json.body.price }}'),
          assignment('who', 'string', '={{ $json.body.customer.name }}'),
        ],
      },
    }),
  );

/** Body sent to the webhooks: 300 bytes of an order. */
export const ORDER = JSON.stringify({
  qty: 3,
  price: 14.5,
  customer: { name: 'Ada', mail: 'ada@example.org' },
  lines: Array.from({ length: 6 }, (_, index) => ({ sku: `A-${index}`, note: 'n'.repeat(20) })),
});
