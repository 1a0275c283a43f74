import type { DefinitionError, WorkflowDefinition } from '@weft/node-catalogue';
import type { FieldError } from '@weft/service-kit/errors';

/** Errors of a definition as fields of the request: one about a node gets the node's place in the list in front. */
export const toFieldErrors = (
  definition: Pick<WorkflowDefinition, 'nodes'>,
  errors: readonly DefinitionError[],
): FieldError[] =>
  errors.map(({ node, field, message }) => {
    const index = node === undefined ? -1 : definition.nodes.findIndex((candidate) => candidate.name === node);
    return { field: index < 0 ? field : `nodes[${index}].${field}`, message };
  });
