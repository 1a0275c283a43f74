import type { CreateWorkflowRequest, Node } from '@weft/proto/workflows';

/** A node as it travels. */
export const node = (name: string, kind: string, parameters: object = {}, extra: object = {}): Node => ({
  id: '',
  name,
  type: `weft-nodes-base.${kind}`,
  position: [0, 0],
  parametersJson: JSON.stringify(parameters),
  extraJson: JSON.stringify(extra),
});

/** A webhook node with a path of its own. */
export const webhook = (path: string, parameters: object = {}, name = 'Hook'): Node =>
  node(name, 'webhook', { path, httpMethod: 'POST', ...parameters });

/** A request to store nodes, chained in their order. */
export const workflowOf = (nodes: Node[], rest: Partial<CreateWorkflowRequest> = {}): CreateWorkflowRequest => {
  const links = nodes
    .slice(0, -1)
    .map((one, index) => [one.name, { main: [[{ node: nodes[index + 1]?.name, type: 'main', index: 0 }]] }]);
  return {
    name: 'A workflow',
    nodes,
    connectionsJson: JSON.stringify(Object.fromEntries(links)),
    settingsJson: '{}',
    extraJson: '{}',
    active: false,
    ...rest,
  };
};
