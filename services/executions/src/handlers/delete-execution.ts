import type { ExecutionServiceService } from '@weft/proto/executions';
import type { Handlers } from '@weft/service-kit/grpc';
import type { DeleteExecution } from '../domain/delete-execution';

/** DeleteExecution. */
export const deleteExecutionHandler =
  (remove: DeleteExecution): Handlers<typeof ExecutionServiceService>['deleteExecution'] =>
  async ({ executionId }, { principal }) => {
    await remove(executionId, principal);
    return {};
  };
