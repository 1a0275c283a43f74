import type { Fault, WorkflowDefinition } from '@weft/node-catalogue';
import type { FieldError } from '@weft/service-kit/errors';

/** Faults of meaning as fields of the request: what is said of a node gets that node's place in the list in front. */
export const faultFields = (definition: Pick<WorkflowDefinition, 'nodes'>, faults: readonly Fault[]): FieldError[] =>
  faults.map(({ node, path, message }) => {
    const index = node === undefined ? -1 : definition.nodes.findIndex((candidate) => candidate.name === node);
    return { field: index < 0 ? path : `nodes[${index}].${path}`, message };
  });
