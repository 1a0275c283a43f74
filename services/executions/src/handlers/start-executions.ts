import type { ExecutionServiceService, StartResult } from '@weft/proto/executions';
import { toServiceError } from '@weft/service-kit/errors';
import { toRpcStatus, type Handlers } from '@weft/service-kit/grpc';
import { MAX_STARTS } from '../domain/limits';
import type { StartOne } from './start-execution';
import { checkLength } from './outcome-message';

/** StartExecutions: entry by entry; one that fails takes no other with it. */
export const startExecutionsHandler =
  (startOne: StartOne): Handlers<typeof ExecutionServiceService>['startExecutions'] =>
  async ({ starts }, context) => {
    checkLength(starts, 'starts', MAX_STARTS);
    const results = await Promise.allSettled(starts.map(async (start) => startOne(start, context)));
    return {
      results: results.map((result): StartResult =>
        result.status === 'fulfilled'
          ? { result: { $case: 'started', value: result.value } }
          : { result: { $case: 'error', value: toRpcStatus(toServiceError(result.reason)) } },
      ),
    };
  };
