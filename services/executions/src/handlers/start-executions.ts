import type { ExecutionServiceService, StartResult } from '@weft/proto/executions';
import { InvalidRequest, toServiceError } from '@weft/service-kit/errors';
import { toRpcStatus, type Handlers } from '@weft/service-kit/grpc';
import { MAX_STARTS } from '../domain/limits';
import type { StartExecution } from '../domain/start-execution';
import { startRequestOf, starterOf } from './start-execution';

/** StartExecutions: entry by entry; one that fails takes no other with it. */
export const startExecutionsHandler =
  (startExecution: StartExecution): Handlers<typeof ExecutionServiceService>['startExecutions'] =>
  async ({ starts }, context) => {
    if (starts.length > MAX_STARTS) throw new InvalidRequest('Too many starts.', [{ field: 'starts', description: `Send at most ${MAX_STARTS}.` }]);
    const starter = starterOf(context);
    const results = await Promise.allSettled(starts.map(async (start) => startExecution(startRequestOf(start), starter)));
    return {
      results: results.map((result): StartResult =>
        result.status === 'fulfilled'
          ? { result: { $case: 'started', value: result.value } }
          : { result: { $case: 'failure', value: toRpcStatus(toServiceError(result.reason)) } }),
    };
  };
