import type { JsonObject } from '@weft/service-kit/json';
import type { CreateWorkflowRequest, Workflow } from '@weft/proto/workflows';

/** A node without an id. */
export const node = (name: string, kind: string, parameters: object = {}, extra: object = {}): object => ({
  name,
  type: `weft-nodes-base.${kind}`,
  position: [0, 0],
  parameters,
  ...extra,
});

/** A webhook node with a unique path. */
export const webhook = (path: string, parameters: object = {}, name = 'Hook'): object =>
  node(name, 'webhook', { path, httpMethod: 'POST', ...parameters });

const nameOf = (one: object): unknown => ('name' in one ? one.name : undefined);

/** A request to store nodes, chained in their order, with other fields of the definition. */
export const workflowOf = (
  nodes: readonly object[],
  { active = false, ...fields }: { readonly active?: boolean; readonly [field: string]: unknown } = {},
): CreateWorkflowRequest => {
  const links = nodes
    .slice(0, -1)
    .map((one, index) => [nameOf(one), { main: [[{ node: nameOf(nodes[index + 1] ?? {}), type: 'main', index: 0 }]] }]);
  const connections = Object.fromEntries(links);
  return requestOf({ name: 'A workflow', nodes, connections, settings: {}, ...fields }, active);
};

/** A request to store a definition, or a test's substitute for one. */
export const requestOf = (definition: object | string, active = false): CreateWorkflowRequest => ({
  definition: Buffer.from(typeof definition === 'string' ? definition : JSON.stringify(definition)),
  active,
});

/** The definition of a workflow or version, parsed. */
export const definitionOf = (
  carrier: Pick<Workflow, 'definition'> | undefined,
): JsonObject & { readonly nodes: readonly JsonObject[] } => JSON.parse(carrier?.definition.toString() ?? 'null');
