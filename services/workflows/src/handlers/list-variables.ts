import type { ListVariables } from '../domain/variables/list-variables';
import { variableMessage, type VariableMethods } from './variable-methods';

/** ListVariables over gRPC. */
export const handleListVariables =
  (list: ListVariables): VariableMethods['listVariables'] =>
  async ({ limit, cursor }) => {
    const { variables, nextCursor } = await list(limit, cursor);
    return { variables: variables.map(variableMessage), nextCursor };
  };
