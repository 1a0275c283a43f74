import type { Variable as VariableMessage, VariableServiceService } from '@weft/proto/variables';
import type { Handlers } from '@weft/service-kit/grpc';
import { scopedTo } from '@weft/service-kit/visibility';
import type { Within } from '../compose';
import { variableEtag, type ReadVariables, type Variable } from '../domain/variables/variables';
import { userOf } from './access';

const toVariableMessage = (variable: Variable): VariableMessage => ({ ...variable, etag: variableEtag(variable) });

/** VariableService over gRPC. */
export const variableHandlers = (
  useCases: Within & { readonly readVariables: ReadVariables },
): Handlers<typeof VariableServiceService> => ({
  listVariables: async (page, context) => {
    const { variables, nextCursor } = await (await scopedTo(useCases, context)).listVariables(page);
    return { variables: variables.map(toVariableMessage), nextCursor };
  },
  createVariable: async ({ key, value, projectId }, context) => ({
    variable: toVariableMessage(
      await (
        await scopedTo(useCases, context)
      ).createVariable({ key, value, projectId, id: context.createdId }, userOf(context)),
    ),
  }),
  getVariable: async ({ variableId }, context) => ({
    variable: toVariableMessage(await (await scopedTo(useCases, context)).getVariable(variableId)),
  }),
  replaceVariable: async ({ variableId, condition, ...input }, context) => ({
    variable: toVariableMessage(
      await (await scopedTo(useCases, context)).replaceVariable(variableId, input, userOf(context), condition),
    ),
  }),
  deleteVariable: async ({ variableId, condition }, context) => {
    await (await scopedTo(useCases, context)).deleteVariable(variableId, userOf(context), condition);
    return {};
  },
  readVariables: async ({ executionId, fence }) => ({
    values: { ...(await useCases.readVariables({ executionId, fence })) },
  }),
});
