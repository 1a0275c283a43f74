import type { CreateVariable } from '../domain/variables/create-variable';
import { userOf } from './methods';
import { variableMessage, type VariableMethods } from './variable-methods';

/** CreateVariable over gRPC. */
export const handleCreateVariable =
  (create: CreateVariable): VariableMethods['createVariable'] =>
  async (params, context) => ({ variable: variableMessage(await create(params, userOf(context))) });
