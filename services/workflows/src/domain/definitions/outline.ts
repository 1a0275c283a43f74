import { kindOf, type WorkflowDefinition } from '@weft/node-catalogue';
import { isTrigger, kindsIn, routesOf } from '@weft/nodes/descriptors';
import type { WorkflowOutline } from '../workflows/workflow';

/** A workflow that has more is shown with the first ones. */
const MAX_TRIGGERS = 20;

/** Summary of a definition for lists. */
export const outlineOf = (read: WorkflowDefinition): WorkflowOutline => {
  const kinds = kindsIn(read);
  const routes = Map.groupBy(routesOf(read, ''), ({ node }) => node);
  const triggers = read.nodes
    .filter((node) => node.disabled !== true && isTrigger(node, kinds))
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
