import { StartWait, type ExecutionServiceService } from '@weft/proto/executions';
import type { Handlers } from '@weft/service-kit/grpc';
import type { PollExecution } from '../domain/poll-execution';
import { toWaitMessage } from './find-wait';
import { toStartedMessage } from './start-execution';
import { waitOptionsOf } from './wait-options';

/** PollExecution. */
export const pollExecutionHandler =
  (poll: PollExecution): Handlers<typeof ExecutionServiceService>['pollExecution'] =>
  async ({ resumeToken, workflowId, startNode, idempotencyKey, waitMs }, context) => {
    const options = waitOptionsOf(StartWait.START_WAIT_RESPONSE, waitMs, () => context.signal) ?? {
      limitMs: 0,
      signal: context.signal,
    };
    const limitMs = waitMs === 0 ? 0 : options.limitMs;
    const polled = await poll(resumeToken === '' ? { workflowId, startNode, idempotencyKey } : { token: resumeToken }, {
      limitMs,
      signal: options.signal,
    });
    return {
      polled: toStartedMessage({ ...polled, existing: true }),
      waiting: polled.waiting === undefined ? undefined : toWaitMessage(polled.waiting),
    };
  };
