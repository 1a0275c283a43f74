import type { Variable as VariableMessage, VariableServiceService } from '@weft/proto/variables';
import type { Handlers } from '@weft/service-kit/grpc';
import type { Variable, VariableUseCases } from '../domain/variables/variables';
import { userOf } from './access';

const toVariableMessage = (variable: Variable): VariableMessage => ({ ...variable });

/** VariableService over gRPC. */
export const variableHandlers = (useCases: VariableUseCases): Handlers<typeof VariableServiceService> => ({
  listVariables: async (page) => {
    const { variables, nextCursor } = await useCases.listVariables(page);
    return { variables: variables.map(toVariableMessage), nextCursor };
  },
  createVariable: async ({ key, value, projectId }, context) => ({
    variable: toVariableMessage(await useCases.createVariable({ key, value, projectId }, userOf(context))),
  }),
  replaceVariable: async ({ variableId, ...input }, context) => ({
    variable: toVariableMessage(await useCases.replaceVariable(variableId, input, userOf(context))),
  }),
  deleteVariable: async ({ variableId }, context) => {
    await useCases.deleteVariable(variableId, userOf(context));
    return {};
  },
  readVariables: async ({ executionId, fence }) => ({
    values: { ...(await useCases.readVariables({ executionId, fence })) },
  }),
});
