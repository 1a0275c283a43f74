import type { DeleteVariable } from '../domain/variables/delete-variable';
import { userOf } from './methods';
import type { VariableMethods } from './variable-methods';

/** DeleteVariable over gRPC. */
export const handleDeleteVariable =
  (remove: DeleteVariable): VariableMethods['deleteVariable'] =>
  async ({ variableId }, context) => {
    await remove(variableId, userOf(context));
    return {};
  };
