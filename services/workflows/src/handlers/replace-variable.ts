import type { ReplaceVariable } from '../domain/variables/replace-variable';
import { userOf } from './methods';
import { variableMessage, type VariableMethods } from './variable-methods';

/** ReplaceVariable over gRPC. */
export const handleReplaceVariable =
  (replace: ReplaceVariable): VariableMethods['replaceVariable'] =>
  async ({ variableId, ...params }, context) => ({
    variable: variableMessage(await replace(variableId, params, userOf(context))),
  });
