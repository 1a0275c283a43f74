import type { ExecutionServiceService } from '@weft/proto/executions';
import type { Handlers } from '@weft/service-kit/grpc';
import { isUuid } from '@weft/service-kit/ids';
import { ExecutionNotFound } from '../domain/errors';
import type { ReadShown } from '../domain/list-executions';
import { toExecutionMessage } from './execution-message';

/** GetExecution. */
export const getExecutionHandler =
  (readShown: ReadShown): Handlers<typeof ExecutionServiceService>['getExecution'] =>
  async ({ executionId }) => {
    const record = isUuid(executionId) ? await readShown(executionId) : undefined;
    if (record === undefined) throw new ExecutionNotFound(executionId);
    return { execution: toExecutionMessage(record) };
  };
