import type { ExecutionServiceService } from '@weft/proto/executions';
import type { Handlers } from '@weft/service-kit/grpc';
import type { CancelExecution } from '../domain/cancel-execution';
import { toExecutionMessage } from './execution-message';

/** CancelExecution. */
export const cancelExecutionHandler =
  (cancel: CancelExecution): Handlers<typeof ExecutionServiceService>['cancelExecution'] =>
  async ({ executionId }, { principal }) => ({ execution: toExecutionMessage(await cancel(executionId, principal)) });
