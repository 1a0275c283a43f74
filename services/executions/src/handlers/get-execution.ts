import type { ExecutionServiceService } from '@weft/proto/executions';
import type { Handlers } from '@weft/service-kit/grpc';
import { isUuid } from '@weft/service-kit/ids';
import { ExecutionNotFound } from '../domain/errors';
import type { ReadExecution } from '../domain/ports';
import { executionMessage } from './execution-message';

/** GetExecution. */
export const getExecutionHandler =
  (readExecution: ReadExecution): Handlers<typeof ExecutionServiceService>['getExecution'] =>
  async ({ executionId }) => {
    const record = isUuid(executionId) ? await readExecution(executionId) : undefined;
    if (record === undefined) throw new ExecutionNotFound(executionId);
    return { execution: executionMessage(record) };
  };
