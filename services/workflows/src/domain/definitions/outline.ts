import { kindOf, readDefinition } from '@weft/node-catalogue';
import { isTrigger, routesOf } from '@weft/nodes/descriptors';
import type { DefinitionJson, WorkflowOutline } from '../workflows/workflow';

/** A workflow that has more is shown with the first ones. */
const MAX_TRIGGERS = 20;

/** Summary of a definition for lists. */
export const outlineOf = (definition: DefinitionJson): WorkflowOutline => {
  const read = readDefinition({ ...definition });
  const routes = Map.groupBy(routesOf(read, ''), ({ node }) => node);
  const triggers = read.nodes
    .filter((node) => node.disabled !== true && isTrigger(node))
    .slice(0, MAX_TRIGGERS)
    .map(({ name, type }) => {
      const kind = kindOf(type) ?? '';
      const [first, ...others] = routes.get(name) ?? [];
      if (first === undefined) return { node: name, kind };
      const methods = [first, ...others].map(({ method }) => method).join(',');
      return { node: name, kind, path: first.path, ...(kind === 'webhook' ? { methods } : {}) };
    });
  return { nodeCount: read.nodes.length, triggers };
};
