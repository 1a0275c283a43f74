import type { ExecutionServiceService } from '@weft/proto/executions';
import type { Handlers } from '@weft/service-kit/grpc';
import type { ListExecutions } from '../domain/list-executions';
import { toExecutionMessage, fromStatusMessage } from './execution-message';

/** ListExecutions. */
export const listExecutionsHandler =
  (list: ListExecutions): Handlers<typeof ExecutionServiceService>['listExecutions'] =>
  async ({ limit, cursor, workflowId, status: message }) => {
    const status = fromStatusMessage(message);
    const { executions, nextCursor } = await list({
      limit,
      cursor,
      workflowId,
      ...(status === undefined ? {} : { status }),
    });
    return { executions: executions.map(toExecutionMessage), nextCursor };
  };
